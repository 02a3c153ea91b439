import type { swipe as original } from '../swipe'
import type { Translation } from '../translation'

/** What a swipe does to a notification, in words that fit beside it. Loaded after the feed. */
export const swipe = {
  archive: 'Arquivar',
  restore: 'Desarquivar',
  back: 'Trazer de volta',
  read: 'Lida',
  unread: 'Não lida',
} satisfies Translation<typeof original>
