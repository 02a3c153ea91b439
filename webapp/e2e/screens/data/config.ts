import type { Page } from '@playwright/test'

/** Serves a browser the settings of the installation with one that is `invitation`. */
export const byInvitation = (page: Page, name: 'SIGN_UP' | 'PUBLISHERS') =>
  page.context().route('**/config.js', async (route) => {
    const settings = await (await route.fetch()).text()
    const body = settings.replace(new RegExp(`"${name}": "\\w+"`), `"${name}": "invitation"`)
    await route.fulfill({ contentType: 'text/javascript', body })
  })
