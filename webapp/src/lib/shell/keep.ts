import { givenEnv } from '../../env'
import { releaseOf } from '../release'
import { assetsPrefix, isAsset, pagePath, settingsPath, shellCache } from './caches'

/**
 * Registers the service worker, and keeps what the app loads of itself from then on and has loaded before, so that the
 * worker can open the app without a connection.
 */
export async function keepShell() {
  const release = releaseOf(document)
  if (!('serviceWorker' in navigator) || !('caches' in globalThis) || !release) return
  await navigator.serviceWorker.register('/sw.js')
  const assets = await caches.open(assetsPrefix + release)
  await forgetReleases(assetsPrefix + release)
  const seen = new Set<string>()
  const keep = async (pathname: string) => {
    // from the browser's own cache: files in assets/ never change
    if (!(await assets.match(pathname))) await assets.add(pathname)
  }
  new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) {
      const { origin, pathname } = new URL(name)
      if (origin !== location.origin || !isAsset(pathname) || seen.has(pathname)) continue
      seen.add(pathname)
      // a page that is left can ask its caches for nothing
      keep(pathname).catch(() => seen.delete(pathname))
    }
  }).observe({ type: 'resource', buffered: true })
  await keepPage(release)
}

/** Deletes the scripts of old releases, but not of the one before: other tabs may still run it. */
async function forgetReleases(current: string) {
  const others = (await caches.keys()).filter((name) => name.startsWith(assetsPrefix) && name !== current)
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
}

async function keepPage(release: string) {
  const shell = await caches.open(shellCache)
  const settings = `globalThis.SININHO_ENV = Object.freeze(${JSON.stringify(givenEnv())})`
  await shell.put(settingsPath, new Response(settings, { headers: { 'Content-Type': 'text/javascript' } }))
  const kept = await shell.match(pagePath)
  if (kept && (await kept.text()).includes(release)) return
  const page = await fetch(pagePath, { cache: 'no-cache' })
  // a newer release has scripts that are not here: its own page keeps it
  if (page.ok && (await page.clone().text()).includes(release)) await shell.put(pagePath, page)
}
