import { isWaitlisted } from '../env'
import { waitlistAnchor } from '../lib/paths'
import { useSignedIn } from './useSignedIn'

/** Returns where a person enters: the feed, sign-in or, where signing up needs an invitation, the waiting list. */
export function useEntrance(): { name: 'feed' | 'waitlist' | 'signIn'; to: string; hash?: string } {
  const signedIn = useSignedIn()
  if (signedIn) return { name: 'feed', to: '/feed' }
  return isWaitlisted() ? { name: 'waitlist', to: '/', hash: waitlistAnchor } : { name: 'signIn', to: '/login' }
}
