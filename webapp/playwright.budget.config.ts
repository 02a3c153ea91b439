import { defineConfig } from '@playwright/test'
import { chromium } from './e2e/support/browsers.ts'
import e2e from './playwright.config.ts'

/** Times what `make web-budget` holds against the bars; one page at a time, so that none slows another. */
export default defineConfig({
  ...e2e,
  testMatch: ['budget.ts', 'budget-feed.ts', 'budget-studio.ts'],
  workers: 1,
  use: { ...e2e.use, trace: 'off', launchOptions: { ...e2e.use!.launchOptions, executablePath: chromium } },
})
