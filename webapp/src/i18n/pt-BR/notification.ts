import type { notification as original } from '../notification'
import type { Translation } from '../translation'

/** The page of a notification. Loaded with what shows a whole one. */
export const notification = {
  back: (channel) => `Voltar para ${channel}`,
  more: (channel) => `Mais de ${channel}`,
  moment: (day, time) => `${day}, ${time}`,
  dates: 'pt-BR',
} satisfies Translation<typeof original>
