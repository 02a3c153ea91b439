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
  emptyText: 'Qualquer pessoa pode criar um canal e publicar nele:',
  steps: [
    'Instale a linha de comandos e entre com a sua conta.',
    'Crie um publicador e o seu primeiro canal.',
    'Publique com um comando, com a API ou a partir de outro sistema, por um webhook.',
  ],
  how: 'Como publicar',
  demo: 'Ver a demonstração',
} as const
