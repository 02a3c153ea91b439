/** The texts of large text, and of setting a phone up for somebody else. */
export const setup = {
  text: 'Texto',
  large: 'Texto grande',
  largeHint: 'Letras maiores em todas as páginas, e os canais em botões grandes.',

  title: 'Preparar um telemóvel para alguém',
  why: 'Escolha o que essa pessoa vai seguir. O link deixa tudo pronto no telemóvel dela com um toque, sem conta.',
  channels: 'Canais',
  none: 'Ainda não segue nenhum canal público.',
  tooMany: (most: number) => `No máximo ${most} canais.`,
  language: 'Língua',
  link: 'Link',
  linkTitle: 'Sininho pronto a usar',

  ready: 'Pronto a usar',
  promise: 'Com um toque, o que estes canais publicarem chega a este dispositivo.',
  missing: 'Este link não tem canais que existam. Peça outro a quem lho enviou.',
  receive: 'Receber tudo',
  after: 'Abra o Sininho a partir daí: traz estes canais e pergunta.',
} as const
