import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'alone', include: ['test/*.test.ts'], testTimeout: 60_000 } },
      {
        test: {
          name: 'against a server',
          include: ['test/server/*.test.ts'],
          globalSetup: ['test/support/serve.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
