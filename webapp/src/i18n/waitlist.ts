import { clock, number, plural, words } from './words'

/** The waiting list's texts, separate so that the first screen does not load them at once. */
export const waitlist = {
  join: {
    title: 'Entre na lista de espera',
    text: 'Por agora, o Sininho é só por convite. Deixe o seu e‑mail e guardamos o seu lugar.',
    how: 'Os convites saem por ordem, e quem traz outras pessoas sobe na lista.',
    referred: 'Veio por um link partilhado: quando confirmar o seu e-mail, quem o partilhou também sobe.',
    form: 'Lista de espera',
    email: 'E-mail',
    example: 'nome@exemplo.pt',
    emailMissing: 'Escreva o seu e-mail.',
    emailWrong: 'Escreva o endereço completo, como ana@example.com.',
    name: 'Nome (opcional)',
    submit: 'Guardar o meu lugar',
    note: 'Só escrevemos para confirmar o endereço e para o convite. Pode sair quando quiser.',
    offline: 'Sem ligação. Pode inscrever-se assim que ela voltar.',
    tooMany: (until: Date) =>
      `Houve muitas inscrições seguidas daqui. Pode tentar novamente ${words.dates.at(clock(until))}.`,
    sent: 'Veja o seu e-mail',
    sentText: (email: string) =>
      `Vai a caminho uma mensagem para ${email}. Abra o link que ela traz: confirma o seu endereço e mostra o seu lugar na lista.`,
    sentLate: 'Não chegou em poucos minutos? Veja no correio não desejado e confirme que o endereço está certo.',
    again: 'Usar outro e-mail',
  },

  place: {
    list: 'Lista de espera',
    loading: 'A procurar o seu lugar…',
    title: 'O seu lugar na lista de espera',
    titleOf: (name: string) => `${name}, este é o seu lugar na lista`,
    position: (position: number) => `${number(position)}.º`,
    total: (total: number) => (total === 1 ? 'numa lista de 1 pessoa' : `numa lista de ${number(total)} pessoas`),
    confirmed: (email: string) => `O seu e-mail está confirmado. Quando chegar a sua vez, o convite vai para ${email}.`,
    share: 'Suba na lista',
    shareText: 'Cada pessoa que se inscrever por este link, e confirmar o e-mail, adianta o seu lugar.',
    shareMessage: 'Estou na lista de espera do Sininho. Inscreva-se também:',
    copy: 'Copiar o link',
    shareAction: 'Partilhar',
    referrals: (count: number) =>
      count === 0 ? 'Ainda não trouxe ninguém.' : `Já trouxe ${plural(count, 'pessoa', 'pessoas')}.`,
    leave: 'Sair da lista',
    leaveQuestion: 'Sair da lista de espera?',
    leaveText:
      'Apagamos o seu e-mail e tudo o que guardamos da inscrição. As pessoas que trouxe mantêm o lugar; o seu perde-se.',
    leaveTextInvited: 'Apagamos o seu e-mail e tudo o que guardamos da inscrição. O convite deixa de valer.',
    stay: 'Ficar na lista',
    leaveFailed: 'Não foi possível sair da lista.',
    left: 'Saiu da lista de espera',
    leftText: 'O seu e-mail foi apagado. Se mudar de ideias, pode voltar a inscrever-se.',
    joinAgain: 'Ir para a lista de espera',
    invited: 'Chegou a sua vez',
    invitedText: 'Tem um convite para o Sininho. Entre com a conta que quiser: ele vale uma vez.',
    enter: 'Aceitar o convite',
    joined: 'Já está no Sininho',
    joinedText: (email: string) => `A inscrição de ${email} já deu lugar a uma conta: não precisa de esperar mais.`,
    feed: 'Ver as minhas notificações',
    unknown: 'Este link já não serve',
    unknownText:
      'Quem saiu da lista, ou não confirmou o e-mail em 30 dias, deixa de ter lugar nela. Veja também se copiou o link inteiro.',
  },
} as const
