import { createFileRoute, redirect } from '@tanstack/react-router'
import { authQuery } from '../features/session/queries'

/** For who has signed in; others sign in first and come back to where they were going. */
export const Route = createFileRoute('/_auth')({
  beforeLoad: async ({ context, location }) => {
    const { subscriber } = await context.queryClient.ensureQueryData(authQuery())
    if (!subscriber) throw redirect({ to: '/login', search: { redirect: location.href } })
    return { subscriber }
  },
})
