/** Every word on screen. Neutral between Portugal and Brazil. */
const plural = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`
const number = (count: number) => new Intl.NumberFormat('pt').format(count)

export const pt = {
  appName: 'Sininho',
  skipToContent: 'Saltar para o conteúdo',
  tryAgain: 'Tentar novamente',
  close: 'Fechar',
  cancel: 'Cancelar',
  loadMore: 'Carregar mais',
  loading: 'A carregar…',
  copy: 'Copiar',
  copied: 'Copiado',
  number,

  nav: {
    label: 'Principal',
    home: 'Início',
    feed: 'Notificações',
    channels: 'Canais',
    demo: 'Demonstração',
    settings: 'Preferências',
    signIn: 'Entrar',
    unread: (count: number) => plural(count, 'por ler', 'por ler'),
  },

  toast: {
    success: 'Tudo certo!',
    networkFailure: 'Algo Correu mal!',
    dismiss: 'Fechar aviso',
  },

  errors: {
    network: 'Não foi possível chegar ao servidor. Verifique a sua ligação e tente novamente.',
    list: 'Não foi possível carregar.',
    offline: 'Sem ligação. A mostrar o que já foi carregado.',
    offlineEmpty: 'Sem ligação.',
    offlineHint: 'Assim que a ligação voltar, isto carrega sozinho.',
  },

  // the fallbacks that the specification gives in English
  fallback: {
    shell: 'Something went wrong',
    route: 'Something went wrong!',
    show: 'Show Error',
    hide: 'Hide Error',
    notFound: 'Not Found',
  },

  notFound: {
    code: '404',
    title: 'Você Está Perdido??',
    text: 'A página que procura não existe. O endereço pode ter sido mal escrito ou a página mudou de lugar. Se isto parece um erro, contacte o suporte.',
    support: 'Contactar o suporte',
    home: 'Leve-me para casa',
  },

  index: {
    title: 'Siga o que importa. Receba na hora.',
    text: 'Os canais que escolher, num só lugar e em todos os seus dispositivos. Sem algoritmo: só o que decidiu seguir.',
    start: 'Começar',
    demo: 'Ver demonstração',
    popular: 'Canais populares',
    all: 'Ver todos os canais',
    example: {
      channel: 'Metro',
      title: 'Linha azul reaberta',
      body: 'A circulação foi retomada em toda a linha.',
      time: 'agora',
    },
    steps: [
      { title: 'Escolha', text: 'Siga canais de quem publica o que lhe interessa.' },
      { title: 'Ative o sino', text: 'Decida, canal a canal, o que merece tocar.' },
      { title: 'Receba', text: 'No instante em que é publicado, em cada dispositivo.' },
    ],
  },

  login: {
    title: 'Entrar no Sininho',
    text: 'Para seguir canais e receber as suas notificações em todos os dispositivos.',
    google: 'Continuar com o Google',
    pending: 'A abrir o Google…',
    failed: 'Não foi possível entrar. Tente novamente.',
    note: 'Usamos apenas o seu nome e e-mail.',
  },

  device: {
    title: 'Ligar um programa',
    code: 'Código',
    codeHint: 'O que o programa mostra, como BCDF‑GHJK.',
    next: 'Continuar',
    loading: 'A procurar o código…',
    question: (name: string) => `«${name}» quer entrar no Sininho em seu nome.`,
    warning: 'Confirme só se o programa é seu e mostra este código. Pode retirar-lhe o acesso mais tarde.',
    approve: 'Confirmar',
    refuse: 'Recusar',
    approved: 'Programa ligado',
    approvedHint: 'Pode fechar esta página e voltar ao programa.',
    refused: 'Pedido recusado',
    refusedHint: 'O programa não entrou em seu nome.',
    unknown: 'Código desconhecido',
    unknownHint:
      'Nenhum programa espera por este código: passou o prazo ou já foi respondido. Comece de novo no programa.',
    failed: 'Não foi possível responder ao programa.',
  },

  feed: {
    title: 'Notificações',
    all: 'Tudo',
    markAll: 'Marcar tudo como lido',
    markedAll: 'Está tudo lido.',
    markAllFailed: 'Não foi possível marcar tudo como lido.',
    markFailed: 'Não foi possível marcar como lido.',
    unread: 'Por ler',
    unreadCount: (count: number) => plural(count, 'por ler', 'por ler'),
    important: 'Importante',
    edited: 'corrigida',
    arrived: (count: number) => plural(count, 'nova notificação', 'novas notificações'),
    more: 'Mostrar mais',
    less: 'Mostrar menos',
    open: 'Abrir',
    list: 'Lista de notificações',
    end: 'É tudo por agora.',
    empty: {
      title: 'Ainda não há notificações',
      text: 'Siga alguns canais e o que eles publicarem aparece aqui, na hora.',
      action: 'Descobrir canais',
    },
    emptyChannel: {
      title: 'Este canal ainda não publicou nada',
      text: 'O que publicar aparece aqui, na hora.',
    },
    focused: 'A notificação que abriu',
  },

  followed: {
    title: 'Canais que segue',
    empty: 'Ainda não segue nenhum canal.',
    bellOf: (channel: string) => `Sino de ${channel}`,
    bell: {
      all: 'Tocar sempre',
      important: 'Só o importante',
      none: 'Não tocar',
    },
    bellFailed: 'Não foi possível mudar o sino.',
  },

  channels: {
    title: 'Canais',
    search: 'Procurar canais',
    searchHint: 'Nome ou assunto',
    categories: 'Categorias',
    allCategories: 'Todas',
    follow: 'Seguir',
    unfollow: 'Deixar de seguir',
    followName: (name: string) => `Seguir ${name}`,
    unfollowName: (name: string) => `Deixar de seguir ${name}`,
    followed: (name: string) => `Agora segue ${name}.`,
    followFailed: 'Não foi possível seguir o canal.',
    unfollowFailed: 'Não foi possível deixar de seguir o canal.',
    followers: (count: number) => plural(count, 'seguidor', 'seguidores'),
    notifications: (count: number) => plural(count, 'notificação', 'notificações'),
    by: (publisher: string) => `de ${publisher}`,
    found: (count: number) => plural(count, 'canal', 'canais'),
    empty: { title: 'Nenhum canal encontrado', text: 'Experimente outra palavra ou outra categoria.' },
    clear: 'Limpar a procura',
    back: 'Todos os canais',
    missing: 'Este canal não existe ou deixou de existir.',
    latest: 'Últimas notificações',
  },

  push: {
    title: 'Notificações neste dispositivo',
    text: 'Receba o que importa mesmo com o Sininho fechado.',
    enable: 'Ativar notificações',
    enabled: 'Este dispositivo recebe notificações.',
    enabling: 'A ativar…',
    disable: 'Desativar neste dispositivo',
    disabled: 'Este dispositivo deixou de receber notificações.',
    preview: { title: 'Linha azul reaberta', body: 'Assim aparece uma notificação no seu dispositivo.' },
    denied:
      'As notificações estão bloqueadas neste navegador. Para as permitir, abra as permissões deste site junto ao endereço da página, escolha "Permitir" em Notificações e volte aqui.',
    dismissed: 'A permissão não foi dada. Pode tentar novamente quando quiser.',
    unsupported: 'Este navegador não recebe notificações. O que seguir está sempre na página Notificações.',
    install:
      'No iPhone e no iPad, as notificações chegam depois de instalar o Sininho: toque no botão com a seta para cima, escolha a opção de o adicionar ao início e abra-o a partir daí.',
    failed: 'Não foi possível ativar as notificações.',
    unreachable:
      'Não foi possível chegar ao serviço de notificações do navegador. Verifique a ligação, ou se algo o bloqueia, e tente novamente. Entretanto, tudo continua a chegar à página Notificações.',
  },

  devices: {
    title: 'Dispositivos',
    current: 'Este dispositivo',
    lastSeen: (when: string) => `Visto ${when}`,
    test: 'Enviar teste',
    testName: (device: string) => `Enviar teste para ${device}`,
    testSent: 'Teste enviado. Deve chegar dentro de instantes.',
    testFailed:
      'O serviço de notificações recusou o teste. Desative e volte a ativar as notificações nesse dispositivo.',
    remove: 'Remover',
    removeName: (device: string) => `Remover ${device}`,
    removed: 'Dispositivo removido.',
    removeFailed: 'Não foi possível remover o dispositivo.',
    empty: 'Nenhum dispositivo recebe notificações.',
    name: (browser: string, system: string) => `${browser} em ${system}`,
    unknownBrowser: 'Navegador',
    unknownSystem: 'dispositivo desconhecido',
  },

  settings: {
    title: 'Preferências',
    profile: 'Perfil',
    theme: 'Aparência',
    themes: { auto: 'Automática', light: 'Clara', dark: 'Escura' },
    signOut: 'Sair',
    signOutFailed: 'Não foi possível sair.',
    account: 'Conta',
  },

  onboarding: {
    progress: (step: number, of: number) => `Passo ${step} de ${of}`,
    next: 'Continuar',
    back: 'Voltar',
    skip: 'Agora não',
    finish: 'Ver as minhas notificações',
    saveFailed: 'Não foi possível guardar este passo.',
    interests: { title: 'O que lhe interessa?', text: 'Escolha assuntos para vermos juntos que canais seguir.' },
    channels: {
      title: 'Canais para começar',
      text: 'Siga os que quiser. Pode mudar a qualquer momento.',
      empty: 'Ainda não há canais nestes assuntos.',
    },
    notifications: { title: 'Receba na hora', text: 'O navegador vai pedir a sua permissão quando ativar.' },
  },

  demo: {
    title: 'Demonstração',
    text: 'Escreva uma notificação, envie-a e veja-a chegar, na hora, a quem segue o canal.',
    form: 'Escrever uma notificação',
    fieldTitle: 'Título',
    fieldBody: 'Texto',
    example: { title: 'Bolo acabado de sair do forno', body: 'De laranja, como pediu. Venha enquanto está quente.' },
    titleMissing: 'Escreva um título.',
    send: 'Enviar',
    sent: 'Enviada. Veja-a chegar.',
    failed: 'Não foi possível enviar.',
    arrivals: 'A chegar ao canal',
    waiting: 'O que enviar aparece aqui.',
    live: 'Ao vivo',
    connecting: 'A ligar…',
    command: 'O mesmo, na linha de comandos',
    yours: 'A sua',
  },

  dates: { today: 'Hoje', yesterday: 'Ontem' },
} as const

/** The service worker's few, apart so that it carries no more. */
export const workerWords = {
  title: 'Sininho',
  body: 'Tem uma notificação nova.',
} as const
