import { createFileRoute, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { OperatorCard } from '../features/session/OperatorCard'

export const Route = createFileRoute('/login_/operator')({
  staticData: { plain: true },
  component: Operator,
})

/** The secret of the link is in the fragment, which no server sees. It leaves the address bar at once. */
function Operator() {
  const hash = useLocation({ select: ({ hash }) => hash })
  const [given, setGiven] = useState<string>()
  const linked = hash.startsWith('sno_live_') ? hash : undefined
  if (linked && linked !== given) setGiven(linked)
  useEffect(() => {
    if (linked) history.replaceState(history.state, '', location.pathname)
  }, [linked])
  return <OperatorCard key={given} secret={given} />
}
