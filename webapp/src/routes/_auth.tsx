import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { authQuery } from '../data/session'
import { isKnownPage } from '../lib/pages'

const forAccounts = [
  '/invitations',
  '/login/device',
  '/admin',
  '/new',
  '/studio',
  '/settings/security',
  '/settings/publishing',
  '/settings/tokens',
]

/** Reports whether a page has only what an account can have. */
const needsAccount = (path: string) => forAccounts.some((page) => path === page || path.startsWith(`${page}/`))

/** Guards the screens that need a session: visitors sign in first and then return. */
export const Route = createFileRoute('/_auth')({
  beforeLoad: async ({ context, location, cause, params }) => {
    if (!isKnownPage(params)) throw notFound()
    const { subscriber } = await context.queryClient.ensureQueryData(authQuery())
    if (!subscriber) {
      // a person whose session ended while on the screen is informed of that
      throw redirect({ to: '/login', search: { redirect: location.href }, state: { sessionEnded: cause === 'stay' } })
    }
    if (subscriber.anonymous && needsAccount(location.pathname))
      throw redirect({ to: '/login', search: { redirect: location.href } })
    void import('./-signed-in').catch(() => undefined) // loaded ahead: __root renders it, and it opens the stream
    return { subscriber }
  },
})
