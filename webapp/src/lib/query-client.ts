import { ApiError, NetworkError } from '@sininho/sdk'
import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'

/** What a mutation says of itself; the one handler below does the rest. No toast is raised anywhere else for it. */
export type MutationMeta = {
  /** Refreshed when it settles; the mutation stays pending until they are. */
  invalidates?: readonly QueryKey[]
  successMessage?: string
  /** Shown instead of the error's own message. */
  errorMessage?: string
  /** How to take back what was done with these variables, offered beside the success; nothing where it cannot be. */
  undo?: (variables: unknown) => (() => void) | undefined
}

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Error
    mutationMeta: MutationMeta
  }
}

/** Where they are shown; ui/toaster.ts in the app. */
export interface ActionToaster {
  success(message: string, undo?: () => void): void
  networkFailure(message: string): void
  failure(message: string): void
}

/** The error catalogue: network error, the action's own message, else the error's, if it has any. */
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
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: watchSession }),
    mutationCache: new MutationCache({
      onSuccess: (_data, variables, _context, { meta }) => {
        const undo = meta?.undo?.(variables)
        if (meta?.successMessage) toaster.success(meta.successMessage, ...(undo ? [undo] : []))
      },
      onError: (error, _variables, _context, { meta }) => {
        watchSession(error)
        announce(toaster, error, meta?.errorMessage)
      },
      onSettled: (_data, _error, _variables, _context, { meta }) =>
        Promise.all((meta?.invalidates ?? []).map((queryKey) => client.invalidateQueries({ queryKey }))),
    }),
    defaultOptions: {
      // retried as the library does (3 times, 1 s doubled up to 30 s), but for what signing in again must mend
      queries: { retry: (count, error) => count < 3 && !signedOut(error) },
      // an action tried offline must fail and say so, not hang
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
