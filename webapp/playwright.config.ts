import { defineConfig } from '@playwright/test'

/** Runs on the system's Chromium against the built server; `make e2e` builds both and gives it a D-Bus session. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  globalSetup: './e2e/support/setup.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  // on CI one that fails is tried once more and then told as flaky: look at its trace, it may have found a race
  retries: Number(process.env.E2E_RETRIES ?? 0),
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    locale: 'pt-PT',
    timezoneId: 'Europe/Lisbon',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      chromiumSandbox: process.getuid?.() !== 0,
      args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-component-update', '--disable-sync'],
    },
  },
})
