import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, launch } from 'puppeteer-core'
import type { Autopush } from './autopush.ts'

/** Starts the system's Firefox. Its push service is `autopush`, and every page may show notifications. */
export function launchFirefox(autopush: Autopush): Promise<Browser> {
  return launch({
    browser: 'firefox',
    executablePath: executable(),
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

/** Returns FIREFOX, or Debian's on the PATH. */
function executable(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return process.env.FIREFOX ?? folders.map((folder) => join(folder, 'firefox-esr')).find((file) => existsSync(file))
}
