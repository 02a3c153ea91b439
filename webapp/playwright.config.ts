import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
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
  // reached only by what does not come at all, however busy the machine is
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    locale: 'pt-PT',
    timezoneId: 'Europe/Lisbon',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: chromium(),
      args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-component-update', '--disable-sync'],
    },
  },
})

/**
 * CHROMIUM, or the first on the PATH. It runs without its sandbox, Playwright's default: containers often forbid the user
 * namespaces that the sandbox needs, and the tests visit nothing but their own server.
 */
function chromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return process.env.CHROMIUM ?? folders.map((folder) => join(folder, 'chromium')).find((file) => existsSync(file))
}
