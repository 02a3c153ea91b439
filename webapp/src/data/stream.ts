import type { QueryClient } from '@tanstack/react-query'
import { authQuery } from './session'
import { patience } from './timing'

/** Whether the app still waits for the stream to open. `stopWaiting` returns false if it was called before. */
type Waiting = { over: Promise<void>; stopWaiting: () => boolean }

const perClient = new WeakMap<QueryClient, Waiting>()

function waitingOf(client: QueryClient): Waiting {
  const known = perClient.get(client)
  if (known) return known
  let waits = true
  let end = () => {}
  const over = new Promise<void>((resolve) => (end = resolve))
  const waiting = {
    over,
    stopWaiting: () => {
      const waited = waits
      waits = false
      end()
      return waited
    },
  }
  perClient.set(client, waiting)
  setTimeout(waiting.stopWaiting, patience)
  return waiting
}

/**
 * Resolves when a fetch of notifications or subscriptions may begin. What is fetched before the person's stream is open
 * must be fetched again, because events in between would be missed. So the first fetches wait for the stream, but not
 * for long; visitors have no stream.
 */
export async function streamAwaited(client: QueryClient): Promise<void> {
  const waiting = waitingOf(client)
  if (client.getQueryData(authQuery().queryKey)?.caller !== 'subscriber') waiting.stopWaiting()
  await waiting.over
}

/**
 * Lets the waiting fetches begin, because the stream is open or cannot be opened now. Returns whether all of them have
 * waited until now, so that nothing has to be fetched again.
 */
export const stopAwaitingStream = (client: QueryClient): boolean => waitingOf(client).stopWaiting()
