import { useQuery } from '@tanstack/react-query'
import { authQuery } from './session'

export function useSignedIn(): boolean {
  return useQuery(authQuery()).data?.caller === 'subscriber'
}
