import { whenIdle } from '../lib/idle'
import type { AppRouter } from './router'

/**
 * Fetches every screen's code, one after the other, once the first is there: so that each opens at once, and without a
 * connection too. One that does not come is fetched when it is asked for.
 */
export const preloadScreens = (router: AppRouter) =>
  whenIdle(async () => {
    for (const route of Object.values(router.routesById)) {
      await router.loadRouteChunk(route)?.catch(() => undefined)
    }
    await import('../routes/-below').catch(() => undefined)
  })
