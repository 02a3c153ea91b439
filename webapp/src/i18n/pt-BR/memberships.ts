import type { memberships as original } from '../memberships'
import type { Translation } from '../translation'

/** The texts about the publishers of which a person is a member. */
export const memberships = {
  text: 'Os publicadores de que você participa e os canais deles. O que os operadores suspenderem aparece aqui, com o motivo.',
  roles: { owner: 'Você é responsável', editor: 'Você pode publicar' },
  suspended: (reason: string) => `Suspenso: ${reason}`,
  noChannels: 'Ainda não há canais.',
  empty: 'Você não participa de nenhum publicador. Para publicar, crie um ou aceite um convite.',
  how: 'Como publicar',
} as const satisfies Translation<typeof original>
