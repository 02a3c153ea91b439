import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { authQuery } from '../data/session'
import { CodeCard } from '../features/session/CodeCard'

export const Route = createFileRoute('/login_/code')({
  staticData: { plain: true },
  component: Code,
})

/** The code of an emailed link is in the fragment, which no server sees. It leaves the address bar at once. */
function Code() {
  const { hash, state } = useLocation({ select: ({ hash, state }) => ({ hash, state }) })
  const [given, setGiven] = useState<string>()
  const linked = /^\d{8}$/.test(hash) ? hash : undefined
  if (linked && linked !== given) setGiven(linked)
  useEffect(() => {
    if (linked) history.replaceState(history.state, '', location.pathname)
  }, [linked])
  // who is signed in adds an address
  const { data } = useQuery(authQuery())
  const again = data?.subscriber?.anonymous === false ? '/settings/security' : (state.codeAskedAt ?? '/login')
  return <CodeCard key={given} sentTo={state.codeSentTo} given={given} again={again} />
}
