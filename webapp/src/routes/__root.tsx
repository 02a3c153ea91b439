import type { QueryClient } from '@tanstack/react-query'
import { Outlet, type ParsedLocation, createRootRouteWithContext, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSignedIn } from '../data/useSignedIn'
import { Shell } from '../features/shell/Shell'
import { NotFoundScreen, ShellError } from '../features/shell/fallbacks'
import { track } from '../lib/analytics'
import { focusHeading } from '../lib/focus'
import { bringBackTo, keepPlace } from '../lib/place'
import { onDemand } from '../ui/onDemand'
import { Toasts } from '../ui/toaster'

const SignedIn = onDemand(() => import('./-signed-in'))

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  errorComponent: ShellError,
  notFoundComponent: NotFoundScreen,
})

function Root() {
  const signedIn = useSignedIn()
  useNavigationEffects()
  usePlaces()
  return (
    <>
      <Shell>
        <Outlet />
      </Shell>
      <Toasts />
      {signedIn && <SignedIn />}
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

const entryOf = ({ href, state }: ParsedLocation) => state.__TSR_key ?? href

/** Brings a page back to the reader's place after a reload, and on return to it. */
function usePlaces() {
  const router = useRouter()
  useEffect(() => {
    const keep = () => keepPlace(entryOf(router.state.location))
    const stops = [
      router.subscribe('onBeforeNavigate', ({ fromLocation }) => fromLocation && keepPlace(entryOf(fromLocation))),
      router.subscribe('onRendered', ({ toLocation }) => bringBackTo(entryOf(toLocation))),
    ]
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      stops.forEach((stop) => stop())
    }
  }, [router])
}
