import { defineConfig } from '@playwright/test'
import e2e from './playwright.config.ts'

/** Pictures of every screen, into screenshots/ at the root; git ignores it. */
export default defineConfig({ ...e2e, testMatch: ['screenshots.ts', 'guide-pictures.ts'] })
