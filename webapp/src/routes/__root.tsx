import type { QueryClient } from '@tanstack/react-query'
import { Outlet, createRootRouteWithContext, useRouter } from '@tanstack/react-router'
import { Suspense, lazy, useEffect } from 'react'
import { useSignedIn } from '../data/useSignedIn'
import { Shell } from '../features/shell/Shell'
import { NotFoundScreen, ShellError } from '../features/shell/fallbacks'
import { track } from '../lib/analytics'
import { focusHeading } from '../lib/focus'
import { Toasts } from '../ui/toaster'

const SignedIn = lazy(() => import('./-signed-in'))

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  errorComponent: ShellError,
  notFoundComponent: NotFoundScreen,
})

function Root() {
  const signedIn = useSignedIn()
  useNavigationEffects()
  return (
    <>
      <Shell>
        <Outlet />
      </Shell>
      <Suspense>
        <Toasts />
      </Suspense>
      <Suspense>{signedIn && <SignedIn />}</Suspense>
    </>
  )
}

/** Focuses the new screen's heading after a navigation, so that screen readers announce it. */
function useNavigationEffects() {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
        const route = router.state.matches.at(-1)?.routeId
        if (route && (pathChanged || !fromLocation)) track('screen_viewed', { route })
        // the target of a hash takes the focus itself
        if (fromLocation && pathChanged && !toLocation.hash) focusHeading()
      }),
    [router],
  )
}
