import { createFileRoute, redirect } from '@tanstack/react-router'
import { Joining } from '../features/joining/Joining'
import { keepInvitation, keptInvitation } from '../lib/joining'

export const Route = createFileRoute('/join')({
  staticData: { plain: true },
  // the secret leaves the address bar at once, and is kept for a visitor who signs in first
  beforeLoad: ({ location: { hash } }) => {
    if (!hash) return { secret: keptInvitation() }
    keepInvitation(hash)
    throw redirect({ to: '/join', replace: true })
  },
  component: Join,
})

function Join() {
  const { secret } = Route.useRouteContext()
  return <Joining key={secret} secret={secret} />
}
