/** The texts of the address of something new, which follows from its name. */
export const address = {
  label: 'Endereço',
  hint: 'Letras sem acentos, algarismos e hífenes. Não se pode mudar depois.',
  wrong: 'Use só letras minúsculas sem acentos, algarismos e hífenes entre eles.',
  taken: 'Este endereço já existe. Experimente outro.',
  change: 'Mudar o endereço',
} as const
