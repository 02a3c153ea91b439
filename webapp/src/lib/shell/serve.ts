import { isAsset, pagePath, settingsPath, shellCache } from './caches'

/** Milliseconds after which a page is opened from what was kept. */
const patience = 2000

/** Not pages of the app, although they have addresses on its origin. */
const foreign = /^\/(api|docs)(\/|$)/

/** Returns the worker's response to a request, or undefined if the browser is to make the request by itself. */
export function serve(request: Request, origin: string): Promise<Response> | undefined {
  const { origin: at, pathname } = new URL(request.url)
  if (request.method !== 'GET' || at !== origin) return undefined
  if (isAsset(pathname)) return keptOrFresh(request)
  if (pathname === settingsPath) return freshOrKept(request, settingsPath)
  if (request.mode === 'navigate' && !foreign.test(pathname)) return freshOrKept(request, pagePath)
  return undefined
}

async function keptOrFresh(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request)
}

/** Returns what the server answers or, if it does not in time, what was kept. */
async function freshOrKept(request: Request, kept: string): Promise<Response> {
  const answer = fetch(request)
  const held = await caches.match(kept, { cacheName: shellCache })
  if (!held) return answer
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patience))
  const response = await Promise.race([answer.catch(() => undefined), late])
  return response && !isUnreachable(response) ? response : held
}

/** Reports whether a proxy in front of the server has answered for it. */
const isUnreachable = ({ status }: Response) => status >= 502 && status <= 504
