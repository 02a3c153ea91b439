import type { address as original } from '../address'
import type { Translation } from '../translation'

/** The texts of the address of something new, which follows from its name. */
export const address = {
  label: 'Endereço',
  hint: 'Letras sem acentos, algarismos e hifens. Não pode ser mudado depois.',
  wrong: 'Use só letras minúsculas sem acentos, algarismos e hifens entre eles.',
  taken: 'Este endereço já existe. Tente outro.',
  change: 'Mudar o endereço',
} as const satisfies Translation<typeof original>
