import type { UseMutationResult } from '@tanstack/react-query'
import { faultsOf } from '../../lib/faults'
import { type Faults } from './faults'
import { type Message, inputOf } from './message'

/** How a message is sent, to publish or to correct it. */
export type Sending = {
  pending: boolean
  send: (message: Message) => void
  /** What the server found wrong, as far as it has not changed since. */
  faults: (message: Message) => Faults
}

export const useSending = <Result>(
  { isPending, mutate, error, variables }: UseMutationResult<Result, Error, Message>,
  onSent: (result: Result) => void,
): Sending => ({
  pending: isPending,
  send: (message) => mutate(message, { onSuccess: onSent }),
  faults: (message) => {
    const { title, body, ...faults } = faultsOf(error, variables && inputOf(variables), inputOf(message))
    return { ...faults, ...((title ?? body) && { text: title ?? body }) }
  },
})
