import type { QueryClient } from '@tanstack/react-query'
import { authQuery } from '../data/session'
import { whenIdle } from '../lib/idle'
import type { AppRouter } from './router'

/** Beginnings of the ids of the routes that a person can reach from anywhere, in the order of likelihood. */
const everyone = ['/channels/', '/']
const visitors = [...everyone, '/login', '/demo']
const signedIn = ['/_auth/feed', ...everyone, '/_auth/settings', '/demo', '/_auth/invitations']

/**
 * Loads the code of the screens that the person can reach next, one after another, once the first screen is shown, so
 * that each opens at once and also offline. A screen that fails to load is loaded again when it is opened. Then keeps the
 * app for the next visit.
 */
export const preloadScreens = (router: AppRouter, client: QueryClient) =>
  whenIdle(async () => {
    const auth = await client.ensureQueryData(authQuery()).catch(() => undefined)
    for (const start of auth?.subscriber ? signedIn : visitors) {
      for (const route of Object.values(router.routesById)) {
        const reached = start === '/' ? route.id === start : route.id.startsWith(start)
        if (reached) await router.loadRouteChunk(route)?.catch(() => undefined)
      }
    }
    await import('../routes/-below').catch(() => undefined)
    if (auth?.subscriber) await import('../routes/-settings').then(({ loadAll }) => loadAll()).catch(() => undefined)
    await import('../lib/shell/keep').then(({ keepShell }) => keepShell()).catch(() => undefined)
  })
