import type { Page } from '@playwright/test'

/** Serves a browser the settings of the installation with another value of one. */
const withSetting = (page: Page, name: 'SIGN_UP' | 'PUBLISHERS', value: string) =>
  page.context().route('**/config.js', async (route) => {
    const settings = await (await route.fetch()).text()
    const body = settings.replace(new RegExp(`"${name}": "\\w+"`), `"${name}": "${value}"`)
    await route.fulfill({ contentType: 'text/javascript', body })
  })

export const byInvitation = (page: Page, name: 'SIGN_UP' | 'PUBLISHERS') => withSetting(page, name, 'invitation')

export const publishersSetTo = (page: Page, value: 'request') => withSetting(page, 'PUBLISHERS', value)
