import type { Translation } from '../translation'
import type { waitlist as original } from '../waitlist'
import { clock, number, plural, words } from './words'

/** The waiting list's texts, separate so that the first screen does not load them at once. */
export const waitlist = {
  join: {
    title: 'Entre na lista de espera',
    text: 'Por enquanto, é preciso ter um convite para entrar no Sininho. Deixe seu e‑mail e reservamos seu lugar.',
    how: 'Os convites seguem a ordem da lista, e quem traz outras pessoas sobe nela.',
    referred: 'Você veio por um link compartilhado: quando confirmar seu e-mail, quem o compartilhou também sobe.',
    form: 'Lista de espera',
    email: 'E-mail',
    example: 'nome@exemplo.com.br',
    emailMissing: 'Digite seu e-mail.',
    emailWrong: 'Digite o endereço completo, como ana@example.com.',
    name: 'Nome (opcional)',
    submit: 'Reservar meu lugar',
    note: 'Só escrevemos para confirmar o endereço e para o convite. Você pode sair quando quiser.',
    offline: 'Sem conexão. Você pode se inscrever assim que ela voltar.',
    tooMany: (until: Date) =>
      `Houve muitas inscrições seguidas a partir daqui. Você pode tentar de novo ${words.dates.at(clock(until))}.`,
    sent: 'Confira seu e-mail',
    sentText: (email: string) =>
      `Uma mensagem está a caminho de ${email}. Abra o link que vem nela: ele confirma seu endereço e mostra seu lugar na lista.`,
    sentLate: 'Não chegou em poucos minutos? Veja na caixa de spam ou confira se o endereço está certo.',
    again: 'Usar outro e-mail',
  },

  place: {
    list: 'Lista de espera',
    loading: 'Procurando seu lugar…',
    title: 'Seu lugar na lista de espera',
    titleOf: (name: string) => `${name}, este é seu lugar na lista`,
    position: (position: number) => `${number(position)}º`,
    total: (total: number) => (total === 1 ? 'em uma lista de 1 pessoa' : `em uma lista de ${number(total)} pessoas`),
    confirmed: (email: string) => `Seu e-mail está confirmado. Quando chegar sua vez, o convite vai para ${email}.`,
    share: 'Suba na lista',
    shareText: 'Cada pessoa que se inscrever por este link e confirmar o e-mail adianta seu lugar.',
    shareMessage: 'Estou na lista de espera do Sininho. Inscreva-se também:',
    copy: 'Copiar o link',
    shareAction: 'Compartilhar',
    referrals: (count: number) =>
      count === 0 ? 'Você ainda não trouxe ninguém.' : `Você já trouxe ${plural(count, 'pessoa', 'pessoas')}.`,
    leave: 'Sair da lista',
    leaveQuestion: 'Sair da lista de espera?',
    leaveText:
      'Apagamos seu e-mail e tudo o que guardamos da inscrição. Quem você trouxe mantém o lugar; você perde o seu.',
    leaveTextInvited: 'Apagamos seu e-mail e tudo o que guardamos da inscrição. O convite deixa de valer.',
    stay: 'Ficar na lista',
    leaveFailed: 'Não foi possível sair da lista.',
    left: 'Você saiu da lista de espera',
    leftText: 'Seu e-mail foi apagado. Se mudar de ideia, você pode se inscrever outra vez.',
    joinAgain: 'Ir para a lista de espera',
    invited: 'Chegou sua vez',
    invitedText: 'Você tem um convite para o Sininho. Entre com a conta que quiser: ele vale uma vez.',
    enter: 'Aceitar o convite',
    joined: 'Você já está no Sininho',
    joinedText: (email: string) => `A inscrição de ${email} já virou uma conta: você não precisa mais esperar.`,
    feed: 'Ver minhas notificações',
    unknown: 'Este link não vale mais',
    unknownText:
      'Quem saiu da lista, ou não confirmou o e-mail em 30 dias, deixa de ter lugar nela. Veja também se você copiou o link inteiro.',
  },
} satisfies Translation<typeof original>
