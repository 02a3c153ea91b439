/** The texts for whoever arranges by a program what can be arranged in the browser. */
export const automation = {
  title: 'Para quem automatiza',
  label: 'O mesmo, a partir de um programa',
  token: 'Com um token de acesso em SININHO_ACCESS_TOKEN.',
  createToken: 'Criar um token',
  cli: 'Linha de comandos',
} as const
