import type { keep as original } from '../keep'
import type { Translation } from '../translation'
import { number } from './words'

/** The texts of how much a channel keeps, separate because only members of its publisher see them. */
export const keep = {
  open: 'Retenção',
  form: 'Retenção das notificações',
  text: 'O que passar de um destes limites é excluído para todos.',
  days: 'Dias',
  daysHint: (most: number) => `De 1 a ${number(most)}, a partir da publicação. Em branco: o que a instalação permitir.`,
  count: 'Número de notificações',
  countHint: (most: number) =>
    `De 1 a ${number(most)}; as mais antigas saem primeiro. Em branco: o que a instalação permitir.`,
  wrong: (most: number) => `Digite um número de 1 a ${number(most)} ou deixe em branco.`,
  question: 'Manter menos notificações?',
  consequence: 'As que passam do limite serão excluídas nas próximas horas. Não é possível desfazer.',
  less: 'Reduzir',
  saved: 'Retenção salva.',
} satisfies Translation<typeof original>
