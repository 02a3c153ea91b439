/** The texts about the publishers of which a person is a member. */
export const memberships = {
  title: 'Canais que gere',
  roles: { owner: 'Responsável', editor: 'Pode publicar' } as Record<string, string>,
  suspended: (reason: string) => `Suspenso: ${reason}`,
  stored: (used: string, quota?: string) => (quota === undefined ? `Ocupa ${used}.` : `Ocupa ${used} de ${quota}.`),
  almostFull:
    'Quando encher, nada mais se publica: conserve as notificações menos tempo, apague canais, ou peça mais espaço a quem opera o servidor.',
  noChannels: 'Ainda não tem canais.',
  empty: 'Tem algo para anunciar?',
  emptyText: 'Crie um canal, escreva, e quem o seguir recebe na hora.',
  invited: 'Aqui publica quem for convidado',
  invitedText:
    'Quem opera o servidor escolhe quem publica. Peça-lhe um convite, ou a quem já publica que o convide para o seu canal.',
  ask: 'Pedir um convite',
  request: 'Pedir para publicar',
  create: 'Criar um canal',
  write: 'Escrever',
  writeIn: (channel: string) => `Escrever em ${channel}`,
  how: 'Como publicar',
  demo: 'Ver a demonstração',
} as const
