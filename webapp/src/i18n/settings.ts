import { plural, words } from './words'

const since = (time: string) => (time.startsWith('01') ? `da ${time}` : `das ${time}`)

/** The settings' texts, separate so that the first screen does not load them. */
export const settings = {
  parts: 'Partes das preferências',
  /** Title of the window in a section. */
  window: (section: string) => `${section} · Preferências · Sininho`,
  operators: 'Administração',

  /** The sections, each with what it holds. */
  sections: {
    profile: { title: 'Perfil', text: 'Nome, língua e fuso horário' },
    notifications: { title: 'Notificações', text: 'Neste dispositivo, silêncio e sino' },
    devices: { title: 'Dispositivos', text: 'Onde recebe notificações' },
    app: { title: 'Aplicação', text: 'Aparência e instalação' },
    security: { title: 'Segurança', text: 'Formas de entrar e sessões' },
    publishing: { title: 'Publicação', text: 'Os canais que gere e os convites' },
    tokens: { title: 'Tokens de acesso', text: 'Programas que agem em seu nome' },
    data: { title: 'Os seus dados', text: 'Exportar tudo ou apagar a conta' },
  },
  /** What a section is set to, instead of what it holds. */
  now: {
    pushOn: 'Ativas neste dispositivo',
    pushOff: 'Desativadas neste dispositivo',
    devices: (count: number) => (count === 0 ? 'Nenhum' : plural(count, 'dispositivo', 'dispositivos')),
    theme: { auto: 'Aparência automática', light: 'Aparência clara', dark: 'Aparência escura' },
    installed: (theme: string) => `${theme}, instalada`,
  },

  theme: 'Aparência',
  themes: { auto: 'Automática', light: 'Clara', dark: 'Escura' },

  install: {
    title: 'Instalar o Sininho',
    why: 'Abre numa janela própria, também sem ligação, e o seu ícone mostra quantas notificações tem por ler.',
    action: 'Instalar',
    accepted: 'Já está. Procure o Sininho entre as suas aplicações.',
    installed: 'O Sininho está instalado, e é nele que está agora.',
    failed: 'Não foi possível instalar.',
    /** The steps on iPhone and iPad. */
    steps: [
      { name: 'Partilhar', text: 'Toque em Partilhar, o quadrado com a seta para cima.' },
      { name: 'Adicionar', text: 'Escolha «Adicionar ao ecrã principal».' },
    ],
    elsewhere: 'Procure «Instalar» ou «Adicionar ao ecrã principal» no menu do navegador. Nem todos o oferecem.',
  },

  profile: {
    form: 'Dados do perfil',
    name: 'Nome',
    nameMissing: 'Escreva um nome.',
    language: 'Língua',
    languageHint: 'Usada nas páginas e nos e-mails do Sininho. Os canais publicam na língua que quiserem.',
    timezone: 'Fuso horário',
    timeThere: (time: string) => `Agora são ${time} nesse fuso.`,
    ofDevice: 'Usar o deste dispositivo',
    saved: 'Perfil guardado.',
  },

  bellDefault: {
    title: 'Sino de canais novos',
    text: 'Como toca um canal que comece a seguir. Para mudar o sino de um canal, use o que está ao lado dele.',
  },

  digest: {
    title: 'Resumo diário',
    text: 'Uma vez por dia, quantas notificações chegaram dos canais com o sino em «Resumo diário» e estão por ler. O importante toca na hora.',
    none: 'Nenhum canal está no resumo. Escolha «Resumo diário» no sino de um canal, ou «Juntar num resumo» no menu de uma notificação.',
    at: 'Hora do resumo',
    quiet: (end: string) => `É nas horas de silêncio: o resumo chega ${words.dates.at(end)}, quando elas acabarem.`,
  },

  quiet: {
    title: 'Horas de silêncio',
    text: 'O que chegar nestas horas vem num só resumo quando elas acabarem.',
    on: 'Usar horas de silêncio',
    from: 'Das',
    to: 'Às',
    sentence: (start: string, end: string) => `Silêncio ${since(start)} ${words.dates.at(end)}.`,
    sentenceOverMidnight: (start: string, end: string) =>
      `Silêncio ${since(start)} ${words.dates.at(end)} do dia seguinte.`,
    timezone: (timezone: string) => `Pelo fuso horário de ${timezone}, que se muda no perfil.`,
    elsewhere: (timezone: string) => `Este dispositivo está noutro fuso: ${timezone}.`,
  },

  tokens: {
    title: 'Tokens de acesso',
    text: 'Cada token deixa um programa agir em seu nome. Revogue os que já não usa.',
    empty: 'Nenhum programa tem acesso',
    emptyText:
      'Um token deixa um programa agir em seu nome: ler as suas notificações num script, por exemplo, ou publicar a partir da linha de comandos.',
    how: 'Como usar tokens',
    hint: (hint: string) => `sna_live_…${hint}`,
    used: (when: string) => `usado ${when}`,
    unused: 'nunca usado',
    expires: (date: string) => `válido até ${date}`,
    expired: (date: string) => `expirou em ${date}`,
    create: 'Criar token',
    form: 'Novo token de acesso',
    name: 'Nome',
    nameHint: 'Para o reconhecer mais tarde, como «cópia de segurança».',
    nameMissing: 'Escreva um nome.',
    may: 'Poderá',
    permissions: {
      all: 'Fazer tudo o que posso',
      read: 'Só ler',
      publish: 'Só publicar',
      readAndPublish: 'Ler e publicar',
    },
    scopes: (scopes: readonly string[]) => {
      const [reads, publishes] = [scopes.includes('read'), scopes.includes('publish')]
      if (scopes.includes('manage')) return 'acesso total'
      if (reads && publishes) return 'leitura e publicação'
      return publishes ? 'só publicação' : 'só leitura'
    },
    expiry: 'Válido por',
    expiries: { '30': '30 dias', '90': '90 dias', '365': '1 ano' },
    createFailed: 'Não foi possível criar o token.',
    secret: (name: string) => `O token «${name}» está pronto`,
    secretHint: 'Copie-o agora e guarde-o em lugar seguro: não volta a ser mostrado.',
    secretDone: 'Já o guardei',
    revoke: 'Revogar',
    revokeName: (name: string) => `Revogar ${name}`,
    revokeQuestion: (name: string) => `Revogar «${name}»?`,
    revokeText:
      'O programa que o usa deixa de ter acesso de imediato, tal como os tokens que ele criou. Não se pode voltar atrás.',
    revoked: 'Token revogado.',
    revokeFailed: 'Não foi possível revogar o token.',
  },

  identities: {
    title: 'Formas de entrar',
    text: 'As contas e os endereços com que entra aqui. A primeira define o e-mail da conta.',
    email: 'E-mail',
    used: (when: string) => `usada ${when}`,
    unused: 'ainda não usada',
    since: (date: string) => `adicionada em ${date}`,
    gone: 'esta instalação já não a oferece',
    remove: 'Remover',
    removeName: (name: string) => `Remover ${name}`,
    removeQuestion: (name: string) => `Remover «${name}»?`,
    removeText: 'Deixa de poder entrar desta forma. As sessões já iniciadas continuam.',
    removed: 'Forma de entrar removida.',
    add: 'Adicionar forma de entrar',
    addOf: (name: string) => `Adicionar ${name}`,
    addEmail: 'Adicionar um e-mail',
    addFailed: 'Não foi possível adicionar esta forma de entrar.',
    newEmail: 'E-mail',
    newEmailHint: 'Enviamos-lhe um código para confirmar que é seu.',
    emailMissing: 'Escreva um e-mail.',
    emailWrong: 'Escreva o endereço completo, como nome@exemplo.pt.',
    send: 'Enviar código',
    errors: {
      unverified:
        'Não foi adicionada: esse serviço não diz que o endereço de e-mail é seu. Confirme-o lá, ou diga a quem gere o Sininho que falta «email_verified».',
      no_email:
        'Não foi adicionada: esse serviço não nos deu um endereço de e-mail. Acrescente um lá, ou diga a quem gere o Sininho que falta «email».',
      taken: 'Não foi adicionada: já há outra conta que entra desta forma. Se for sua, apague-a primeiro.',
      known_address: 'Não foi adicionada: o endereço de e-mail dela é o de outra conta.',
      too_many: 'Não foi adicionada: uma conta tem no máximo 10 formas de entrar. Remova uma primeiro.',
    } as Record<string, string>,
  },

  sessions: {
    title: 'Sessões',
    text: 'Os navegadores onde tem sessão iniciada. Termine as que não reconhece ou já não usa.',
    name: (browser = 'Navegador', system?: string) => (system ? `${browser} no ${system}` : browser),
    current: 'Esta sessão',
    used: (when: string) => `usada ${when}`,
    since: (date: string) => `iniciada em ${date}`,
    network: (network: string) => `IP ${network}`,
    end: 'Terminar',
    endName: (name: string) => `Terminar ${name}`,
    endQuestion: (name: string) => `Terminar «${name}»?`,
    endText: 'Esse navegador sai da sua conta de imediato e deixa de receber notificações.',
    ended: 'Sessão terminada.',
    endFailed: 'Não foi possível terminar a sessão.',
    endOthers: 'Terminar as outras sessões',
    endOthersQuestion: 'Terminar as outras sessões?',
    endOthersText:
      'Os outros navegadores saem da sua conta de imediato e deixam de receber notificações. Os tokens de acesso continuam válidos.',
    othersEnded: 'As outras sessões terminaram.',
    endOthersFailed: 'Não foi possível terminar as outras sessões.',
  },

  feedAddress: {
    title: 'Endereço do seu feed',
    text: 'Um endereço secreto com o qual um leitor de feeds mostra tudo o que segue, também os canais privados. Quem o souber lê o mesmo, e mais nada.',
    how: 'Como funcionam os feeds',
    make: 'Criar endereço',
    makeFailed: 'Não foi possível criar o endereço.',
    made: 'Endereço do seu feed, em Atom',
    madeHint: 'Copie-o agora: não volta a ser mostrado. Com .json no fim em vez de .atom é um JSON Feed.',
    done: 'Já o copiei',
    hint: (hint: string) => `/feeds/snf_live_…${hint}`,
    since: (date: string) => `desde ${date}`,
    renew: 'Substituir endereço',
    renewQuestion: 'Substituir o endereço do seu feed?',
    renewText: 'O que lê o endereço de agora deixa de funcionar.',
    end: 'Apagar endereço',
    endQuestion: 'Apagar o endereço do seu feed?',
    endText: 'O que o lê deixa de funcionar.',
    ended: 'Endereço apagado.',
    endFailed: 'Não foi possível apagar o endereço.',
  },

  account: {
    copy: 'Exportar',
    exportText: 'Tudo o que guardamos de si, num documento JSON que pode levar consigo.',
    export: 'Exportar os meus dados',
    exportName: (day: string) => `sininho-os-meus-dados-${day}.json`,
    exported: 'Os seus dados foram guardados neste dispositivo.',
    exportFailed: 'Não foi possível exportar os seus dados.',
    remove: 'Apagar a conta',
    removeText: 'Apaga de vez tudo o que guardamos de si:',
    removed: [
      'o perfil e as preferências',
      'os canais que segue e o que leu neles',
      'os dispositivos, que deixam de receber notificações',
      'as sessões e os tokens de acesso, em toda a parte',
    ],
    removeFinal: 'Não se pode voltar atrás.',
    confirmation: 'apagar',
    confirm: (word: string) => `Para confirmar, escreva «${word}»`,
    removeForGood: 'Apagar para sempre',
    gone: 'A sua conta foi apagada.',
  },
} as const
