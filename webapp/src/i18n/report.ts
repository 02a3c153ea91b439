import type { ReportInput } from '@sininho/sdk'

/** The texts of reports, separate so that the first screen does not load them. */
export const report = {
  channel: (name: string) => `Denunciar o canal ${name}`,
  notification: 'Denunciar a notificação',
  note: 'Só os operadores do Sininho veem a denúncia. Quem publicou não fica a saber que a fez.',
  why: 'O que se passa?',
  categories: {
    spam: 'É publicidade indesejada',
    fraud: 'É uma burla',
    impersonation: 'Faz-se passar por outra pessoa ou entidade',
    abuse: 'É ofensivo ou ameaça alguém',
    illegal: 'É ilegal',
    other: 'Outra coisa',
  } satisfies Record<ReportInput['category'], string>,
  text: 'Conte mais (opcional)',
  textRequired: 'Conte o que se passa',
  textMissing: 'Escreva o que se passa.',
  send: 'Enviar a denúncia',
}
