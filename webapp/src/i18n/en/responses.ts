import type { responses as original } from '../responses'
import type { Translation } from '../translation'

/** The texts about how the receiver of events responded. */
export const responses = {
  status: (status: number) => `responded with ${status}`,
  unknown: 'no response',
  /** By the server's text. */
  errors: {
    'it has no public address': 'it has no public address',
    'it refuses connections': 'it refuses connections',
    'it cannot be reached': 'it can’t be reached',
    'it took too long to respond': 'it took too long to respond',
    'the connection broke off, or the response was not HTTP': 'the connection broke off, or the response wasn’t HTTP',
    'it responded with a redirect, which is not followed': 'it responded with a redirect, which isn’t followed',
    'it responded with an invalid status': 'it responded with an invalid status',
    'its certificate has expired or is not valid yet': 'its certificate has expired or isn’t valid yet',
    'its certificate is for another name': 'its certificate is for another name',
    'its certificate is not from a known authority': 'its certificate isn’t from a known authority',
    'its certificate is not valid': 'its certificate isn’t valid',
    'the event could not be signed': 'the event couldn’t be signed',
    'it did not respond with the signature of the challenge': 'it didn’t respond with the signature of the challenge',
  },
} as const satisfies Translation<typeof original>
