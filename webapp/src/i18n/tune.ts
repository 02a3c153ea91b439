/** The texts of hearing less of a channel, where its notifications are. */
export const tune = {
  mute: 'Silenciar até…',
  question: (count: number, channel: string) => `${count} por ler de ${channel}. É demais?`,
  digest: 'Juntar num resumo',
  keep: 'Está bem assim',
  important: (channel: string) => `${channel} só toca com o que for importante.`,
  digested: (channel: string) => `${channel} vem num resumo por dia. O importante toca na hora.`,
  muted: (channel: string, until: string) => `${channel} não toca até ${until}.`,
} as const
