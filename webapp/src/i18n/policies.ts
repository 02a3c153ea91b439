/** The texts around what the operator writes about privacy and terms of use. */
export const policies = {
  privacy: 'Privacidade',
  terms: 'Termos de utilização',
  links: 'Privacidade e termos',
} as const
