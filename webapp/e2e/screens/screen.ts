import type { Page } from '@playwright/test'
import type { Sininho } from '../support/sininho.ts'

export type Screen = {
  path: string
  signedIn?: boolean
  operator?: boolean
  /** Whether `ready` cuts the connection. */
  offline?: boolean
  /** Makes what the screen shows, before it is opened. May return where that is, in place of an example in `path`. */
  arrange?: (page: Page, sininho: Sininho) => Promise<string | void>
  /** Waits until the screen is complete, after what leads to it. */
  ready: (page: Page, sininho: Sininho) => Promise<void>
}

export const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor()
export const card = async (page: Page) => {
  await heading(page)
  await page.getByRole('article').first().waitFor()
}

export const show = (page: Page, section: string) =>
  page
    .getByRole('region', { name: section })
    .evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }))
