import type { QueryClient } from '@tanstack/react-query'
import { type RouterHistory, createRouter } from '@tanstack/react-router'
import { routeTree } from '../gen/routeTree'
import { formatSearch, parseSearch } from '../lib/search'
import { NotFoundText, RouteError, RoutePending } from './fallbacks'

/** Times and cache lifetimes are the router's own. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    parseSearch,
    stringifySearch: formatSearch,
    context: { queryClient },
    defaultPreload: 'intent',
    scrollRestoration: true,
    // an unknown path has the whole screen, wherever it stands
    notFoundMode: 'root',
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFoundText,
    defaultPendingComponent: RoutePending,
  })
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
  interface HistoryState {
    /** On the way to sign in again. */
    sessionEnded?: boolean
  }
  interface StaticDataRouteOption {
    /** Without the rail: a page of its own, with a header. */
    plain?: boolean
  }
}
