import { ApiError, NetworkError } from '@sininho/sdk'
import {
  type Mutation,
  MutationCache,
  type MutationOptions,
  QueryCache,
  QueryClient,
  type QueryKey,
  onlineManager,
} from '@tanstack/react-query'

type TakeBack = () => void

const takeBackOf = (context: unknown) => (typeof context === 'function' ? (context as TakeBack) : undefined)

/** A text, or a function where it depends on what was done. */
type Message = string | ((variables: unknown, data?: unknown) => string | undefined)

const textOf = (message: Message | undefined, variables: unknown, data?: unknown) =>
  typeof message === 'function' ? message(variables, data) : message

/**
 * How the handler below reports a mutation's outcome. Mutations raise no toasts themselves. A function that `onMutate`
 * returns takes back what was shown at once, and is called when the mutation fails.
 */
export type MutationMeta = {
  /** Queries to refresh when the mutation settles; it stays pending until they are. */
  invalidates?: readonly QueryKey[]
  successMessage?: Message
  /** Shown instead of the error's own message. */
  errorMessage?: Message
  /**
   * Returns a function that undoes the mutation, offered in the success toast, or undefined if it cannot be undone. Gets
   * what `onMutate` returned, if the toast is of this visit, and what the mutation returned, if it is over.
   */
  undo?: (
    variables: unknown,
    takeBack: TakeBack | undefined,
    client: QueryClient,
    data?: unknown,
  ) => (() => void) | undefined
}

/** Prefix of the keys of the actions that wait for a connection. */
export const queuedKey = ['queued'] as const

/**
 * Options of an action that is shown at once and, without a connection, carried out when there is one again. These run
 * one after another.
 */
export const queued = (name: string) =>
  ({
    mutationKey: [...queuedKey, name],
    networkMode: 'online',
    scope: { id: queuedKey[0] },
    retry: (_count: number, error: Error) => error instanceof NetworkError && !onlineManager.isOnline(),
  }) as const

const isQueued = ({ options }: { options: MutationOptions<unknown, Error, unknown> }) =>
  options.scope?.id === queuedKey[0]

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Error
    mutationMeta: MutationMeta
  }
}

/** Shows the toasts; ui/toaster.ts in the app. */
export interface ActionToaster {
  success(message: string, undo?: () => void): void
  networkFailure(message: string): void
  failure(message: string): void
}

/** The error catalogue: a network error, else the mutation's own message, else the error's message if it has one. */
function announce(toaster: ActionToaster, error: Error, errorMessage: string | undefined) {
  if (error instanceof NetworkError) toaster.networkFailure(error.message)
  else if (errorMessage) toaster.failure(errorMessage)
  else if (error.message) toaster.failure(error.message)
}

const signedOut = (error: Error) => error instanceof ApiError && error.status === 401

export function createQueryClient(toaster: ActionToaster, onSignedOut: () => void): QueryClient {
  const watchSession = (error: Error) => {
    if (signedOut(error)) onSignedOut()
  }
  const outdated = new Set<QueryKey>()
  const confirmed = new WeakSet<object>()
  /** Shows that an action is done. One that waits for a connection is confirmed at once. */
  const confirm = (mutation: Mutation<unknown, unknown, unknown>, variables: unknown, data?: unknown) => {
    const { meta } = mutation
    const message = textOf(meta?.successMessage, variables, data)
    if (!message || confirmed.has(mutation)) return
    confirmed.add(mutation)
    const undo =
      meta?.undo?.(variables, undefined, client, data) &&
      (() => meta.undo?.(variables, takeBackOf(mutation.state.context), client, data)?.())
    toaster.success(message, ...(undo ? [undo] : []))
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: watchSession }),
    mutationCache: new MutationCache({
      onMutate: (variables, mutation) => {
        if (isQueued(mutation) && !onlineManager.isOnline()) confirm(mutation, variables)
      },
      onSuccess: (data, variables, _context, mutation) => confirm(mutation, variables, data),
      onError: (error, variables, context, { meta }) => {
        takeBackOf(context)?.()
        watchSession(error)
        announce(toaster, error, textOf(meta?.errorMessage, variables))
      },
      onSettled: async (_data, _error, _variables, _context, mutation) => {
        mutation.meta?.invalidates?.forEach((queryKey) => outdated.add(queryKey))
        // what the server does not know yet would vanish from the screen
        const waiting = client.isMutating({ mutationKey: queuedKey })
        if (waiting > (isQueued(mutation) ? 1 : 0)) return
        const queryKeys = [...outdated]
        outdated.clear()
        await Promise.all(queryKeys.map((queryKey) => client.invalidateQueries({ queryKey })))
      },
    }),
    defaultOptions: {
      // the library's default (3 retries, from 1 s doubling up to 30 s), except for 401
      queries: { retry: (count, error) => count < 3 && !signedOut(error) },
      // offline, an action that is not queued must fail and report it instead of waiting for the network
      mutations: { networkMode: 'always' },
    },
  })
  return client
}

/** Runs a mutation outside of components, such as from a toast. Errors are reported as for any other mutation. */
export function run<Data, Variables, Context>(
  client: QueryClient,
  options: MutationOptions<Data, Error, Variables, Context>,
  variables: Variables,
) {
  client
    .getMutationCache()
    .build(client, options)
    .execute(variables)
    .catch(() => undefined)
}
