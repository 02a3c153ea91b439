/** The texts of joining and leaving private channels, separate so that no other screen loads them. */
export const join = {
  title: 'Convite para um canal privado',
  seen: {
    enter: (publisher: string) =>
      `Se entrar, a equipa de ${publisher} vê o seu nome. Os outros membros do canal não o veem.`,
    ask: (publisher: string) =>
      `Se pedir para entrar, a equipa de ${publisher} vê o seu nome. Os outros membros do canal não o veem.`,
  },
  as: (name: string) => `Está no Sininho como ${name}.`,
  enter: 'Entrar no canal',
  ask: 'Pedir para entrar',
  signIn: 'Entrar no Sininho',
  signInText: 'Primeiro entre no Sininho. Depois volta a este convite e decide.',
  member: 'Já é membro deste canal.',
  open: 'Abrir o canal',
  requested: 'À espera de aprovação',
  requestedText: (publisher: string) =>
    `O seu pedido já está com a equipa de ${publisher}. Quando o aprovarem, o canal aparece entre os que segue.`,
  ended: 'Este convite já não serve',
  endedText: 'Pode ter terminado, ou o endereço não estar completo. Peça um convite novo a quem lho enviou.',
  leave: (channel: string) => `Deixar de seguir «${channel}»?`,
  leaveText: 'É um canal privado. Para voltar, precisa de um novo convite.',
} as const
