import type { QueryClient } from '@tanstack/react-query'
import { type RouterHistory, createRouter } from '@tanstack/react-router'
import { NotFoundText, RouteError, RoutePending } from '../features/shell/fallbacks'
import { routeTree } from '../gen/routeTree'
import { formatSearch, parseSearch } from '../lib/search'

/** Delays and cache lifetimes are the router's defaults. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    parseSearch,
    stringifySearch: formatSearch,
    context: { queryClient },
    defaultPreload: 'intent',
    scrollRestoration: true,
    // the not-found screen replaces the whole screen at any depth
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
    /** Set when the session ended and the person must sign in again. */
    sessionEnded?: boolean
    /** The address to which a code was sent. */
    codeSentTo?: string
    /** The page where it was asked for. */
    codeAskedAt?: string
    /** The list of sections is the entry before. */
    fromList?: boolean
  }
  interface StaticDataRouteOption {
    /** Renders the page with a header instead of the rail. */
    plain?: boolean
    /** Leads through steps, so that the header has no links to other pages. */
    guided?: boolean
    /** The place in the navigation to which the page belongs, where its address does not tell. */
    within?: '/settings' | '/studio'
  }
}
