import { useMutation } from '@tanstack/react-query'
import { enablePushMutation } from './enable-push'
import { usePush } from './usePush'

/** What keeps this device from ringing, if anything does, and what has it ring. */
export function useSilence() {
  const { state, isPending } = usePush()
  const { mutate, isPending: enabling, error } = useMutation(enablePushMutation())
  const silence = isPending || state === 'on' ? undefined : state
  return { silence, error, enabling, enable: () => mutate() }
}
