import type { policies as original } from '../policies'
import type { Translation } from '../translation'

/** The texts around what the operator writes about privacy and terms of use. */
export const policies = {
  privacy: 'Privacy',
  terms: 'Terms of use',
  links: 'Privacy and terms',
} as const satisfies Translation<typeof original>
