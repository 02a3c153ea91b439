import { useQuery } from '@tanstack/react-query'
import { env } from '../env'
import { authQuery } from './session'

/** Whether the person has a session, with an account or without one. */
export function useSignedIn(): boolean {
  return useQuery(authQuery()).data?.caller === 'subscriber'
}

/** Whether the person is signed in to an account. */
export function useAccount(): boolean {
  return useQuery(authQuery()).data?.subscriber?.anonymous === false
}

/** Whether the person follows without an account. */
export function useAnonymous(): boolean {
  return useQuery(authQuery()).data?.subscriber?.anonymous === true
}

/** Whether the person may publish in some channel. */
export function usePublishes(): boolean {
  return useQuery(authQuery()).data?.publishes ?? false
}

/** Whether the person may create publishers. */
export function useMayCreatePublishers(): boolean {
  const { data } = useQuery(authQuery())
  return env().PUBLISHERS === 'open' || data?.operator === true
}

/** Whether the person is a visitor who may follow without an account. */
export function useMayFollow(): boolean {
  const { data } = useQuery(authQuery())
  return data?.caller === 'visitor' && data.signInMethods.some(({ kind }) => kind === 'anonymous')
}
