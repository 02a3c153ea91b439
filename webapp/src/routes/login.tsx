import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, redirect, useLocation } from '@tanstack/react-router'
import { LoginCard } from '../features/session/LoginCard'
import { authQuery } from '../features/session/queries'
import { safePath } from '../lib/paths'

type Search = { redirect?: string; error?: string }

export const Route = createFileRoute('/login')({
  staticData: { plain: true },
  validateSearch: (search: Record<string, unknown>): Search => ({
    redirect: typeof search.redirect === 'string' ? safePath(search.redirect, '/feed') : undefined,
    error: typeof search.error === 'string' ? search.error : undefined,
  }),
  // Google sends back here: the first time on to the onboarding, else to where the visitor was going
  beforeLoad: async ({ context, search }) => {
    const { subscriber } = await context.queryClient.ensureQueryData(authQuery())
    if (!subscriber) return
    const target = search.redirect ?? '/feed'
    if (subscriber.onboarded) throw redirect({ href: target, replace: true })
    throw redirect({ to: '/onboarding', search: { redirect: search.redirect }, replace: true })
  },
  component: Login,
})

function Login() {
  const { redirect: target, error } = Route.useSearch()
  const ended = useLocation({ select: ({ state }) => state.sessionEnded === true })
  const { data } = useSuspenseQuery(authQuery())
  const google = data.signInMethods.find(({ kind }) => kind === 'google')?.url ?? '/api/v1/auth/google'
  const back = target ? `/login?redirect=${encodeURIComponent(target)}` : '/login'
  return (
    <LoginCard
      googleUrl={`${google}?redirect=${encodeURIComponent(back)}`}
      failed={error !== undefined}
      ended={ended}
    />
  )
}
