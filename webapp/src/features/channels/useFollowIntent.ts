import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followMutation } from '../../data/following'
import { takeFollowIntent } from '../../lib/follow-intent'

/** Follows the channel that the person wanted to follow before they signed in. */
export function useFollowIntent() {
  const { mutate: follow } = useMutation(followMutation())
  useEffect(() => {
    const intent = takeFollowIntent()
    if (intent) follow(intent.id)
  }, [follow])
}
