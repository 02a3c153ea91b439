import { whenIdle } from '../lib/idle'
import type { AppRouter } from './router'

/**
 * Loads the code of every screen, one after another, once the first screen is shown, so that each opens at once and
 * also offline. A screen that fails to load is loaded again when it is opened.
 */
export const preloadScreens = (router: AppRouter) =>
  whenIdle(async () => {
    for (const route of Object.values(router.routesById)) {
      await router.loadRouteChunk(route)?.catch(() => undefined)
    }
    await import('../routes/-below').catch(() => undefined)
  })
