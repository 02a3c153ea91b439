import { number } from './words'

/** The texts of how much a channel keeps, separate because only members of its publisher see them. */
export const keep = {
  open: 'Conservação',
  form: 'Conservação das notificações',
  text: 'O que passar de um destes limites é apagado para todos.',
  days: 'Dias',
  daysHint: (most: number) => `De 1 a ${number(most)}, a contar da publicação. Em branco: o que a instalação permitir.`,
  count: 'Número de notificações',
  countHint: (most: number) =>
    `De 1 a ${number(most)}; as mais antigas saem primeiro. Em branco: o que a instalação permitir.`,
  wrong: (most: number) => `Escreva um número de 1 a ${number(most)}, ou deixe em branco.`,
  question: 'Conservar menos notificações?',
  consequence: 'As que passam do limite são apagadas nas próximas horas. Não se pode voltar atrás.',
  less: 'Reduzir',
  saved: 'Conservação guardada.',
}
