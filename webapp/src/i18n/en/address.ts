import type { address as original } from '../address'
import type { Translation } from '../translation'

/** The texts of the address of something new, which follows from its name. */
export const address = {
  label: 'Address',
  hint: 'Letters without accents, digits and hyphens. It cannot be changed later.',
  wrong: 'Use only small letters without accents, digits, and hyphens between them.',
  taken: 'This address is taken. Try another.',
  change: 'Change the address',
} as const satisfies Translation<typeof original>
