import { defineConfig } from 'vite'

// The service worker is a classic script at the root: one file, no hash, nothing imported.
export default defineConfig({
  publicDir: false,
  build: {
    target: 'baseline-widely-available',
    outDir: '../server/internal/webui/dist',
    emptyOutDir: false,
    rolldownOptions: {
      input: 'src/sw.ts',
      output: { format: 'iife', entryFileNames: 'sw.js' },
    },
  },
})
