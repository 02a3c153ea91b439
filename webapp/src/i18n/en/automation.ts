import type { automation as original } from '../automation'
import type { Translation } from '../translation'

/** The texts for whoever arranges by a program what can be arranged in the browser. */
export const automation = {
  title: 'For automation',
  label: 'The same from a program',
  token: 'With an access token in SININHO_ACCESS_TOKEN.',
  createToken: 'Create a token',
  cli: 'Command line',
} as const satisfies Translation<typeof original>
