import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, redirect, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { authQuery } from '../data/session'
import { env } from '../env'
import { LoginCard } from '../features/session/LoginCard'
import { followIntent, leadsTo } from '../lib/follow-intent'
import { safePath } from '../lib/paths'
import { formatSearch, textOf } from '../lib/search'
import { PolicyLine } from '../ui/PolicyLinks'

type Search = { redirect?: string; error?: string; invitation?: string }

export const Route = createFileRoute('/login')({
  staticData: { plain: true },
  validateSearch: (search: Record<string, unknown>): Search => ({
    redirect: typeof search.redirect === 'string' ? safePath(search.redirect, '/feed') : undefined,
    error: textOf(search.error),
    invitation: textOf(search.invitation),
  }),
  // providers redirect back here: new people continue to the onboarding, others to where they were going
  beforeLoad: async ({ context, search }) => {
    const { subscriber } = await context.queryClient.ensureQueryData(authQuery())
    if (!subscriber || subscriber.anonymous) return
    const target = search.redirect ?? '/feed'
    if (subscriber.onboarded || isOfChannel(target)) throw redirect({ href: target, replace: true })
    throw redirect({ to: '/onboarding', search: { redirect: search.redirect }, replace: true })
  },
  component: Login,
})

/** Whoever came for one channel gets to it, and is offered the first steps later. */
const isOfChannel = (path: string) => path.startsWith('/join') || /^\/channels\/[^/?#]+\/[^/?#]+/.test(path)

function Login() {
  const { redirect: target, error, invitation } = Route.useSearch()
  const ended = useLocation({ select: ({ state }) => state.sessionEnded === true })
  const { data } = useSuspenseQuery(authQuery())
  const [intent] = useState(followIntent)
  const { SIGN_UP, WAITLIST, SUPPORT_URL } = env()
  const saving = data.subscriber?.anonymous === true
  // who has an account already adds the way that failed there
  const then = error === 'known_address' ? (target ?? '/settings/security') : target
  return (
    <>
      <LoginCard
        methods={data.signInMethods}
        redirect={saving ? (then ?? '/feed') : `/login${formatSearch({ redirect: then })}`}
        invitation={invitation}
        error={error}
        suspension={data.suspension?.reason}
        support={SUPPORT_URL}
        ended={ended}
        saving={saving}
        following={intent && leadsTo(target, intent) ? intent.name : undefined}
        byInvitation={SIGN_UP === 'invitation'}
        waitlist={WAITLIST === 'open'}
      />
      <PolicyLine />
    </>
  )
}
