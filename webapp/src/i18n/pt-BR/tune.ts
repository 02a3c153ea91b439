import type { tune as original } from '../tune'
import type { Translation } from '../translation'

/** The texts of hearing less of a channel, where its notifications are. */
export const tune = {
  mute: 'Silenciar até…',
  question: (count: number, channel: string) => `${count} não lidas de ${channel}. É demais?`,
  digest: 'Juntar em um resumo',
  keep: 'Está bem assim',
  important: (channel: string) => `${channel} só toca com o que for importante.`,
  digested: (channel: string) => `${channel} vem em um resumo por dia. O importante toca na hora.`,
  muted: (channel: string, until: string) => `${channel} não toca até ${until}.`,
} as const satisfies Translation<typeof original>
