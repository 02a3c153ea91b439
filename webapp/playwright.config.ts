import { defineConfig } from '@playwright/test'
import { chromium, headlessShell } from './e2e/support/browsers.ts'
import type { Translation } from './e2e/support/translator.ts'

/** Whether what takes too long for every change is tested too: `e2e/nightly`, and screens in all sizes. */
const all = process.env.E2E === 'all'

/** The specs that are then also run in a browser that translates pages: in them, texts come, go and change most. */
const translated = /(discovery|feed|triage)\.spec\.ts$/

/** Tests the built server with the system's Chromium; `make e2e` builds it and starts a D-Bus session. */
export default defineConfig<{ translated?: Translation }>({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  testIgnore: all ? [] : '**/nightly/**',
  globalSetup: './e2e/support/setup.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  // long enough for a busy machine, so that only a real failure reaches them
  timeout: 180_000,
  expect: { timeout: 30_000 },
  projects: [
    { name: 'app' },
    ...(all ? [{ name: 'translated', testMatch: translated, use: { translated: 'replaces' as const } }] : []),
  ],
  use: {
    locale: 'pt-PT',
    timezoneId: 'Europe/Lisbon',
    screenshot: 'only-on-failure',
    // recording takes a fifth of the time; the snapshots of the DOM show as much as screenshots would
    trace: process.env.E2E_TRACE ? { mode: 'retain-on-failure', screenshots: false } : 'off',
    launchOptions: {
      // it takes half the time; `profile` is the whole browser, which what the shell lacks is tested in
      executablePath: headlessShell ?? chromium,
      args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-component-update', '--disable-sync'],
    },
  },
})
