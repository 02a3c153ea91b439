import { type DehydratedState, type Query, type QueryClient, dehydrate, hydrate } from '@tanstack/react-query'
import { queuedKey } from '../lib/query-client'
import { authQuery, sessionKeys } from './session'
import { subscriptionKeys } from './subscriptions'

/** What a signed-in person has loaded, for the next visit: it shows at once, and without a connection too. */
const dataKey = 'sininho.kept'
/** Begins the keys of the actions that wait for a connection, one key for each tab that has some. */
const queuePrefix = 'sininho.queue.'
const ownQueue = queuePrefix + Math.random().toString(36).slice(2)

/** Prefixes of the keys of the queries that are kept: first those that a visit cannot do without. */
const keptQueries = [sessionKeys.all[0], subscriptionKeys.all[0], 'feed', 'channels', 'categories']
const needed = keptQueries.slice(0, 2)

/** How many queries are kept, and how many characters they may have: browsers give an origin five million. */
const most = 150
const mostCharacters = 1_500_000

function read(name: string): DehydratedState {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '') as DehydratedState
  } catch {
    return { mutations: [], queries: [] }
  }
}

function write(name: string, text: string) {
  try {
    localStorage.setItem(name, text)
  } catch {
    localStorage.removeItem(name) // too much for the browser: an older state would be wrong
  }
}

/** Fills the client with what was kept. All of it counts as outdated, so that screens fetch what they show. */
export function restoreData(client: QueryClient): void {
  const state = read(dataKey)
  if (state.queries.length > 0) stay(client)
  state.queries.forEach((query) => (query.state.isInvalidated = true))
  hydrate(client, state)
}

/** Has what is kept stay in memory too, to be kept also after a while on other screens. */
const stay = (client: QueryClient) =>
  keptQueries.forEach((prefix) => client.setQueryDefaults([prefix], { gcTime: Infinity }))

/**
 * Takes over the actions that wait, from every tab that was closed before they were carried out, and from those open now
 * once they are closed. How they are carried out must be among the client's mutation defaults. Returns a function that
 * ends it.
 */
export function restoreQueue(client: QueryClient): () => void {
  const stop = new AbortController()
  for (const name of Object.keys(localStorage).filter((each) => each.startsWith(queuePrefix)))
    whenClosed(name, stop.signal, () => takeOver(client, name))
      .then(() => client.resumePausedMutations())
      .catch(() => undefined) // ended
  return () => stop.abort()
}

async function takeOver(client: QueryClient, queue: string) {
  const state = read(queue)
  for (const { mutationKey = [], meta, state: mutation } of state.mutations) {
    const { onMutate } = client.getMutationDefaults(mutationKey)
    mutation.isPaused = true
    // shows it as done: what was kept may be from another tab
    mutation.context = await onMutate?.(mutation.variables, { client, meta, mutationKey })
  }
  hydrate(client, state)
  localStorage.removeItem(queue)
}

/**
 * Runs a function once the tab that owns a queue is closed. A tab holds the lock of its queue's name, and the browser may
 * release that of a page only after it has loaded the page again: to ask once is not enough.
 */
async function whenClosed(queue: string, signal: AbortSignal, run: () => Promise<void>) {
  const locks = locksOf(navigator)
  if (locks) await locks.request(queue, { signal }, run)
  else await run()
}

/** Missing where the connection is not secure. */
const locksOf = ({ locks }: { locks?: LockManager }) => locks

const isKept = ({ queryKey: [prefix], state }: Query) =>
  keptQueries.includes(String(prefix)) && state.data !== undefined

const isNeeded = ({ queryKey: [prefix] }: Query) => needed.includes(String(prefix))

const newestFirst = (one: Query, other: Query) => other.state.dataUpdatedAt - one.state.dataUpdatedAt

/** What is written of a query, by its state: most have not changed since they were written last. */
const written = new WeakMap<object, string>()

function textOf(client: QueryClient, query: Query): string {
  const before = written.get(query.state)
  if (before !== undefined) return before
  const { queries } = dehydrate(client, {
    shouldDehydrateMutation: () => false,
    shouldDehydrateQuery: (each) => each === query,
  })
  const text = JSON.stringify(queries[0])
  written.set(query.state, text)
  return text
}

/** Writes what is to be kept. What was fetched longest ago goes when there is too much, and leaves the memory too. */
function keptTexts(client: QueryClient): string[] {
  const texts: string[] = []
  let room = mostCharacters
  const queries = client.getQueryCache().getAll().filter(isKept).toSorted(newestFirst)
  for (const query of [...queries.filter(isNeeded), ...queries.filter((each) => !isNeeded(each))]) {
    const text = textOf(client, query)
    room -= text.length
    if (texts.length < most && room >= 0) texts.push(text)
    else if (!query.isActive()) client.getQueryCache().remove(query)
  }
  return texts
}

/** Keeps what the person has loaded and what waits, from now on. Returns a function that ends it. */
export function keep(client: QueryClient): () => void {
  stay(client)
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    if (client.getQueryData(authQuery().queryKey)?.caller !== 'subscriber') return forgetKept()
    write(dataKey, `{"mutations":[],"queries":[${keptTexts(client).join()}]}`)
  }
  const saveQueue = () => {
    const { mutations } = dehydrate(client, {
      shouldDehydrateMutation: ({ options, state }) =>
        options.mutationKey?.[0] === queuedKey[0] && state.status === 'pending',
      shouldDehydrateQuery: () => false,
    })
    if (mutations.length > 0) write(ownQueue, JSON.stringify({ mutations, queries: [] }))
    else localStorage.removeItem(ownQueue)
  }
  const saveSoon = () => (timer ??= setTimeout(save, 1000))
  saveSoon() // what was loaded before
  const stops = [
    client.getQueryCache().subscribe(({ type }) => {
      if (type === 'updated' || type === 'removed') saveSoon()
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
