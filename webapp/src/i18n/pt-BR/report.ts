import type { report as original } from '../report'
import type { Translation } from '../translation'

/** The texts of reports, separate so that the first screen does not load them. */
export const report = {
  channel: (name: string) => `Denunciar o canal ${name}`,
  notification: 'Denunciar a notificação',
  note: 'Só os operadores do Sininho veem a denúncia. Quem publicou não fica sabendo que você denunciou.',
  why: 'O que está acontecendo?',
  categories: {
    spam: 'É propaganda indesejada',
    fraud: 'É um golpe',
    impersonation: 'Finge ser outra pessoa ou organização',
    abuse: 'É ofensivo ou ameaça alguém',
    illegal: 'É ilegal',
    other: 'Outra coisa',
  },
  text: 'Conte mais (opcional)',
  textRequired: 'Conte o que está acontecendo',
  textMissing: 'Escreva o que está acontecendo.',
  send: 'Enviar a denúncia',
} satisfies Translation<typeof original>
