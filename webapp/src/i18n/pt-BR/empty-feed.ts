import type { emptyFeed as original } from '../empty-feed'
import type { Translation } from '../translation'

/** What the feed says while nothing is in it. Loaded after it. */
export const emptyFeed = {
  title: 'Ainda não há notificações',
  text: 'Siga alguns canais e o que eles publicarem aparece aqui, na hora.',
  action: 'Descobrir canais',
  unread: { title: 'Está tudo lido', text: 'O que chegar de novo aparece aqui, na hora.' },
  important: { title: 'Nada importante', text: 'Aqui fica o que os canais marcarem como importante.' },
  snoozed: { title: 'Nada para mais tarde', text: 'O que você adiar fica aqui e volta como não lido na hora certa.' },
  archived: { title: 'Nada arquivado', text: 'O que você arquivar sai das notificações e fica guardado aqui.' },
  nothingFound: { title: 'Nada encontrado', text: 'Tente outra palavra ou só o começo dela.' },
  quiet: 'Os canais que você segue ainda não publicaram nada. O que publicarem aparece aqui, na hora.',
} satisfies Translation<typeof original>
