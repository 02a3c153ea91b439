import type { memberships as original } from '../memberships'
import type { Translation } from '../translation'

/** The texts about the publishers of which a person is a member. */
export const memberships = {
  title: 'Canais que você gerencia',
  roles: { owner: 'Responsável', editor: 'Pode publicar' },
  suspended: (reason: string) => `Suspenso: ${reason}`,
  stored: (used: string, quota?: string) => (quota === undefined ? `Ocupa ${used}.` : `Ocupa ${used} de ${quota}.`),
  almostFull:
    'Quando encher, nada mais será publicado: guarde as notificações por menos tempo, exclua canais ou peça mais espaço a quem opera o servidor.',
  noChannels: 'Ainda não há canais.',
  empty: 'Tem algo para anunciar?',
  emptyText: 'Crie um canal, escreva, e quem o seguir recebe na hora.',
  invited: 'Aqui publica quem for convidado',
  invitedText:
    'Quem opera o servidor escolhe quem publica. Peça um convite a essa pessoa, ou a quem já publica que convide você para o canal.',
  ask: 'Pedir um convite',
  request: 'Pedir para publicar',
  create: 'Criar um canal',
  write: 'Escrever',
  writeIn: (channel: string) => `Escrever em ${channel}`,
  how: 'Como publicar',
  demo: 'Ver a demonstração',
} as const satisfies Translation<typeof original>
