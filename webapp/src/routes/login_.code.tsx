import { createFileRoute, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { CodeCard } from '../features/session/CodeCard'

export const Route = createFileRoute('/login_/code')({
  staticData: { plain: true },
  component: Code,
})

/** The code of an emailed link is in the fragment, which no server sees. It leaves the address bar at once. */
function Code() {
  const { hash, state } = useLocation({ select: ({ hash, state }) => ({ hash, state }) })
  const [given] = useState(/^\d{8}$/.test(hash) ? hash : undefined)
  useEffect(() => {
    if (given) history.replaceState(history.state, '', location.pathname)
  }, [given])
  return <CodeCard sentTo={state.codeSentTo} given={given} />
}
