import { NetworkError, unwrap } from '@sininho/sdk'
import { onlineManager } from '@tanstack/react-query'

/** Milliseconds between the first two attempts to reach the server, doubled after each up to the longest. */
const shortest = 1000
const longest = 30_000

/** Makes a request that tells whether the server answers, whatever it says. */
type Ask = () => Promise<{ data?: unknown }>

const answers = (ask: Ask) =>
  unwrap(ask()).then(
    () => true,
    (error) => !(error instanceof NetworkError),
  )

let suspicion: Promise<void> | undefined

/**
 * Call it when a request could not reach the server. If another one cannot either, the app is offline until one can,
 * whatever the browser reports. Resolves when that is known.
 */
export function suspectConnection(ask: Ask): Promise<void> {
  return (suspicion ??= answers(ask).then((reached) => {
    if (reached) suspicion = undefined
    else void wait(ask)
  }))
}

async function wait(ask: Ask) {
  onlineManager.setOnline(false)
  let delay = shortest
  do {
    await new Promise((resolve) => setTimeout(resolve, delay))
    delay = Math.min(2 * delay, longest)
  } while (!onlineManager.isOnline() && !(await answers(ask)))
  suspicion = undefined
  onlineManager.setOnline(true)
}
