/** What a swipe does to a notification, in words that fit beside it. Loaded after the feed. */
export const swipe = {
  archive: 'Arquivar',
  restore: 'Desarquivar',
  back: 'Trazer de volta',
  read: 'Lida',
  unread: 'Por ler',
}
