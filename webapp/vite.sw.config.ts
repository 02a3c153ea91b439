import { defineConfig } from 'vite'
import { translated } from './language.config.ts'

// The service worker is a classic script at the root: one file, no hash, nothing imported.
export default defineConfig({
  plugins: [translated()],
  publicDir: false,
  build: {
    target: 'baseline-widely-available',
    outDir: '../server/internal/webui/dist',
    rolldownOptions: {
      input: 'src/sw.ts',
      output: { format: 'iife', entryFileNames: 'sw.js' },
    },
  },
})
