/** The texts about the publishers of which a person is a member. */
export const memberships = {
  text: 'Os publicadores em que participa e os canais deles. O que os operadores suspenderem aparece aqui, com o motivo.',
  roles: { owner: 'É responsável', editor: 'Pode publicar' } as Record<string, string>,
  suspended: (reason: string) => `Suspenso: ${reason}`,
  noChannels: 'Ainda não tem canais.',
  empty: 'Não participa em nenhum publicador. Para publicar, crie um ou aceite o convite de um.',
  how: 'Como publicar',
} as const
