import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The system's browsers, or those that variables name. They run without a sandbox, Playwright's default: containers
 * often forbid the user namespaces that it needs, and the tests visit only their own server.
 */
export const chromium = process.env.CHROMIUM ?? onPath('chromium')
/** Chromium without what surrounds pages: it has no pushes, system notifications or extensions. */
export const headlessShell = process.env.CHROMIUM ?? onPath('chromium-headless-shell')
export const firefox = process.env.FIREFOX ?? onPath('firefox-esr')

function onPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file))
}
