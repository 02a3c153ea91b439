import { createFileRoute, redirect } from '@tanstack/react-router'
import { authQuery } from '../features/session/queries'

/** For who has signed in; others sign in first and come back to where they were going. */
export const Route = createFileRoute('/_auth')({
  beforeLoad: async ({ context, location, cause }) => {
    const { subscriber } = await context.queryClient.ensureQueryData(authQuery())
    if (!subscriber) {
      // who was let in before hears why they no longer are
      throw redirect({ to: '/login', search: { redirect: location.href }, state: { sessionEnded: cause === 'stay' } })
    }
    return { subscriber }
  },
})
