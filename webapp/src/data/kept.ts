import { type DehydratedState, type QueryClient, dehydrate, hydrate } from '@tanstack/react-query'
import { queuedKey } from '../lib/query-client'
import { notificationKeys } from './notifications'
import { authQuery } from './session'

/** What a signed-in person has loaded, for the next visit: it shows at once, and without a connection too. */
const dataKey = 'sininho.kept'
/** Begins the keys of the actions that wait for a connection, one key for each tab that has some. */
const queuePrefix = 'sininho.queue.'
const ownQueue = queuePrefix + Math.random().toString(36).slice(2)

/** Prefixes of the keys of the queries that are kept. */
const keptQueries = new Set(['session', 'feed', 'subscriptions', 'channels'])

function read(name: string): DehydratedState {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '') as DehydratedState
  } catch {
    return { mutations: [], queries: [] }
  }
}

function write(name: string, state: DehydratedState) {
  try {
    localStorage.setItem(name, JSON.stringify(state))
  } catch {
    localStorage.removeItem(name) // too much for the browser: an older state would be wrong
  }
}

/** Fills the client with what was kept. All of it counts as outdated, so that screens fetch what they show. */
export function restoreData(client: QueryClient): void {
  // the feed stays, to be kept also after a while on other screens
  client.setQueryDefaults(notificationKeys.list(), { gcTime: Infinity })
  const state = read(dataKey)
  state.queries.forEach((query) => (query.state.isInvalidated = true))
  hydrate(client, state)
}

/**
 * Takes over the actions that wait, from every tab that was closed before they were carried out. How they are carried
 * out must be among the client's mutation defaults.
 */
export async function restoreQueue(client: QueryClient): Promise<void> {
  for (const name of Object.keys(localStorage).filter((each) => each.startsWith(queuePrefix)))
    await ifClosed(name, async () => {
      const state = read(name)
      for (const { mutationKey = [], meta, state: mutation } of state.mutations) {
        const { onMutate } = client.getMutationDefaults(mutationKey)
        mutation.isPaused = true
        // shows it as done: what was kept may be from another tab
        mutation.context = await onMutate?.(mutation.variables, { client, meta, mutationKey })
      }
      hydrate(client, state)
      localStorage.removeItem(name)
    })
  await client.resumePausedMutations()
}

/** Runs a function unless the tab that owns a queue is open. A tab holds the lock of its queue's name. */
async function ifClosed(queue: string, run: () => Promise<void>) {
  const locks = locksOf(navigator)
  if (locks) await locks.request(queue, { ifAvailable: true }, (lock) => lock && run())
  else await run()
}

/** Missing where the connection is not secure. */
const locksOf = ({ locks }: { locks?: LockManager }) => locks

/** Keeps what the person has loaded and what waits, from now on. Returns a function that ends it. */
export function keep(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    if (client.getQueryData(authQuery().queryKey)?.caller !== 'subscriber') return forgetKept()
    write(
      dataKey,
      dehydrate(client, {
        shouldDehydrateMutation: () => false,
        shouldDehydrateQuery: ({ queryKey, state }) => keptQueries.has(String(queryKey[0])) && state.data !== undefined,
      }),
    )
  }
  const saveQueue = () => {
    const { mutations } = dehydrate(client, {
      shouldDehydrateMutation: ({ options, state }) =>
        options.mutationKey?.[0] === queuedKey[0] && state.status === 'pending',
      shouldDehydrateQuery: () => false,
    })
    if (mutations.length > 0) write(ownQueue, { mutations, queries: [] })
    else localStorage.removeItem(ownQueue)
  }
  const stops = [
    client.getQueryCache().subscribe(({ type }) => {
      if (type === 'updated' || type === 'removed') timer ??= setTimeout(save, 1000)
    }),
    client.getMutationCache().subscribe(({ type }) => {
      // those of a closed tab are added; they are now in the queue of this one
      if (type === 'added' || type === 'updated') saveQueue()
    }),
  ]
  // only what is new: another tab may have forgotten the rest meanwhile
  const saveRest = () => void (timer !== undefined && save())
  addEventListener('pagehide', saveRest)
  // a page that is left gets no lock
  locksOf(navigator)
    ?.request(ownQueue, () => new Promise(() => undefined))
    .catch(() => undefined)
  return () => {
    clearTimeout(timer)
    removeEventListener('pagehide', saveRest)
    stops.forEach((stop) => stop())
  }
}

/** Deletes everything that was kept, so that nobody else can see it. */
export function forgetKept(): void {
  for (const name of Object.keys(localStorage))
    if (name === dataKey || name.startsWith(queuePrefix)) localStorage.removeItem(name)
}
