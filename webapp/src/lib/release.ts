import { isAsset, pagePath } from './shell/caches'

/** The file with which the release begins that a document loads, or undefined while it is being developed. */
export function releaseOf({ scripts }: Document): string | undefined {
  const paths = [...scripts].map(({ src }) => src && new URL(src).pathname)
  return paths.find((path) => isAsset(path))
}

/** The release for which the page was reloaded last. */
const key = 'sininho.release'

/** Reports whether an error is that of a part of the app that cannot be loaded. Browsers differ in their words. */
export const isMissingPart = (error: unknown) =>
  error instanceof Error && /preload CSS|dynamically imported module|module script failed/i.test(error.message)

/**
 * Reloads the page when a part of it is missing because another release is served now, which has other parts. Resolves
 * to false otherwise, and after a reload that has not led to that release, so that a page is not reloaded for ever.
 */
export async function followRelease(error: unknown, reload = () => location.reload()): Promise<boolean> {
  const running = releaseOf(document)
  if (!running || !isMissingPart(error)) return false
  const served = await servedRelease().catch(() => undefined)
  if (!served || served === running || sessionStorage.getItem(key) === served) return false
  sessionStorage.setItem(key, served)
  reload()
  return true
}

async function servedRelease(): Promise<string | undefined> {
  const page = await fetch(pagePath, { cache: 'no-store' })
  return releaseOf(new DOMParser().parseFromString(await page.text(), 'text/html'))
}
