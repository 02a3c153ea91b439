import type { Page } from '@playwright/test'
import { follow } from '../../support/test.ts'

/** Makes the page's browser follow a channel without an account. */
export async function withoutAccount(page: Page) {
  await page.request.post('/api/v1/auth/anonymous')
  await follow(page)
}

/** Makes the browser look like Safari on an iPhone, which is not pushed to. */
export async function onIPhone(page: Page) {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'userAgent', {
      get: () => 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)',
    })
    Reflect.deleteProperty(globalThis, 'PushManager')
  })
}
