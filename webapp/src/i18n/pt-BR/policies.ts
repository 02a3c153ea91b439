import type { policies as original } from '../policies'
import type { Translation } from '../translation'

/** The texts around what the operator writes about privacy and terms of use. */
export const policies = {
  privacy: 'Privacidade',
  terms: 'Termos de uso',
  links: 'Privacidade e termos',
} as const satisfies Translation<typeof original>
