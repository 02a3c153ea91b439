import type { join as original } from '../join'
import type { Translation } from '../translation'

/** The texts of joining and leaving private channels, separate so that no other screen loads them. */
export const join = {
  title: 'Convite para um canal privado',
  seen: {
    enter: (publisher: string) =>
      `Se você entrar, a equipe de ${publisher} verá seu nome. Os outros membros do canal não o verão.`,
    ask: (publisher: string) =>
      `Se você pedir para entrar, a equipe de ${publisher} verá seu nome. Os outros membros do canal não o verão.`,
  },
  as: (name: string) => `Você está no Sininho como ${name}.`,
  enter: 'Entrar no canal',
  ask: 'Pedir para entrar',
  signIn: 'Entrar no Sininho',
  signInText: 'Primeiro entre no Sininho. Depois você volta a este convite e decide.',
  member: 'Você já é membro deste canal.',
  open: 'Abrir o canal',
  requested: 'Aguardando aprovação',
  requestedText: (publisher: string) =>
    `Seu pedido já está com a equipe de ${publisher}. Quando for aprovado, o canal aparecerá entre os que você segue.`,
  ended: 'Este convite não vale mais',
  endedText: 'Ele pode ter terminado, ou o endereço pode estar incompleto. Peça um novo convite a quem o enviou.',
  leave: (channel: string) => `Deixar de seguir “${channel}”?`,
  leaveText: 'É um canal privado. Para voltar, você precisa de um novo convite.',
} as const satisfies Translation<typeof original>
