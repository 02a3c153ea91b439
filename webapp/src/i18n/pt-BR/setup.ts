import type { setup as original } from '../setup'
import type { Translation } from '../translation'

/** The texts of large text, and of setting a phone up for somebody else. */
export const setup = {
  text: 'Texto',
  large: 'Texto grande',
  largeHint: 'Letras maiores em todas as páginas, e os canais em botões grandes.',

  title: 'Preparar um celular para alguém',
  why: 'Escolha o que essa pessoa vai seguir. O link deixa tudo pronto no celular dela com um toque, sem conta.',
  channels: 'Canais',
  none: 'Você ainda não segue nenhum canal público.',
  tooMany: (most: number) => `No máximo ${most} canais.`,
  language: 'Idioma',
  link: 'Link',
  linkTitle: 'Sininho pronto para usar',

  ready: 'Pronto para usar',
  promise: 'Com um toque, o que estes canais publicarem chega a este dispositivo.',
  missing: 'Este link não tem canais que existam. Peça outro a quem enviou.',
  receive: 'Receber tudo',
  after: 'Abra o Sininho a partir dali: ele traz estes canais e pergunta.',
} as const satisfies Translation<typeof original>
