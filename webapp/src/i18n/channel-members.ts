import { number, plural } from './words'

/** The texts about who is in a private channel. */
export const channelMembers = {
  title: 'Membros do canal',
  text: 'Só quem está aqui vê o canal. Os membros não se veem uns aos outros.',
  nameless: 'Sem nome',
  since: (date: string) => `desde ${date}`,

  requests: {
    title: 'Querem entrar',
    asked: (when: string) => `pediu ${when}`,
    approve: 'Aceitar',
    approveOf: (name: string) => `Aceitar ${name}`,
    approved: 'Já está no canal.',
    refuse: 'Recusar',
    refuseOf: (name: string) => `Recusar ${name}`,
    refuseQuestion: (name: string) => `Recusar ${name}?`,
    refuseText: 'Só pode voltar a pedir com um convite novo.',
    refused: 'O pedido foi recusado.',
  },

  members: {
    title: 'Estão no canal',
    none: 'Ainda ninguém. Convide as primeiras pessoas.',
    remove: 'Retirar',
    removeOf: (name: string) => `Retirar ${name}`,
    removeQuestion: (name: string) => `Retirar ${name} do canal?`,
    removeText:
      'O canal deixa de existir para esta pessoa, e nada mais recebe. Para voltar, precisa de um novo convite.',
    removed: 'Já não está no canal.',
  },

  invitations: {
    title: 'Convites',
    link: 'Link',
    used: (uses: number, most?: number) =>
      most === undefined
        ? plural(uses, 'pessoa usou-o', 'pessoas usaram-no')
        : `usado ${number(uses)} de ${plural(most, 'vez', 'vezes')}`,
    until: (date: string) => `até ${date}`,
    over: 'terminou',
    approval: 'com aprovação',
    byLink: 'Criar um link',
    byEmail: 'Convidar por e-mail',
    form: 'Novo convite',
    email: 'E-mail',
    emailHint: 'Recebe o link, que serve a uma pessoa e durante 14 dias.',
    emailMissing: 'Escreva um endereço de e-mail.',
    uses: 'Quantas pessoas o podem usar',
    usesHint: 'Em branco, as que quiserem.',
    usesWrong: 'Escreva um número entre 1 e 1 000 000.',
    expiry: 'Válido',
    expiries: { '1': 'Um dia', '7': 'Uma semana', '30': 'Um mês', '': 'Até o anular' },
    approve: 'Aprovar cada pessoa',
    approveHint: 'Quem abrir o link pede para entrar, e só entra quando aceitar.',
    create: 'Criar convite',
    made: 'O link do convite',
    madeHint: 'Copie-o agora: não volta a ser mostrado. Quem o tiver pode entrar.',
    madeEmailHint: 'Foi enviado por e-mail, e também o pode dar. Não volta a ser mostrado.',
    done: 'Já o copiei',
    revoke: 'Anular',
    revokeOf: (name: string) => `Anular o convite ${name}`,
    revokeQuestion: 'Anular este convite?',
    revokeText: 'Ninguém mais entra por ele. Quem já entrou fica.',
    revoked: 'O convite foi anulado.',
  },
} as const
