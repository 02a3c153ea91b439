import { type Browser, launch } from 'puppeteer-core'
import type { Autopush } from './autopush.ts'
import { firefox } from './browsers.ts'

/** Starts the system's Firefox. Its push service is `autopush`, and every page may show notifications. */
export function launchFirefox(autopush: Autopush): Promise<Browser> {
  return launch({
    browser: 'firefox',
    executablePath: firefox,
    headless: true,
    extraPrefsFirefox: {
      'intl.accept_languages': 'pt-PT',
      'dom.push.serverURL': autopush.url,
      'dom.push.connection.enabled': true,
      'dom.push.testing.allowInsecureServerURL': true,
      'permissions.default.desktop-notification': 1,
    },
  })
}
