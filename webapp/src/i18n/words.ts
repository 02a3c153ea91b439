import { language } from './language'

/** A count with its noun: "1 canal", "1200 canais". */
export const plural = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`
const at = (time: string) => (time.startsWith('01') ? `à ${time}` : `às ${time}`)
/** A number with thousands separators. */
export const number = (count: number) => new Intl.NumberFormat(language).format(count)
/** The time of day, with seconds. */
export const clock = (time: Date) => new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(time)

/** All texts but those that have a file of their own. */
export const words = {
  appName: 'Sininho',
  skipToContent: 'Saltar para o conteúdo',
  tryAgain: 'Tentar novamente',
  close: 'Fechar',
  cancel: 'Cancelar',
  save: 'Guardar',
  loadMore: 'Carregar mais',
  loading: 'A carregar…',
  copy: 'Copiar',
  copied: 'Copiado',
  copyFailed: 'Não foi possível copiar. Selecione o texto.',
  number,
  /** What is wrong with a setting. */
  env: { missing: 'é necessário', empty: 'está vazio', invalid: 'é inválido' },

  nav: {
    label: 'Principal',
    home: 'Início',
    feed: 'Notificações',
    channels: 'Canais',
    demo: 'Demonstração',
    publish: 'Publicar',
    settings: 'Preferências',
    signIn: 'Entrar',
    unread: (count: number) => plural(count, 'por ler', 'por ler'),
  },

  toast: {
    success: 'Tudo certo!',
    networkFailure: 'Algo Correu mal!',
    dismiss: 'Fechar aviso',
    undo: 'Anular',
  },

  errors: {
    network: 'Não foi possível chegar ao servidor. Verifique a sua ligação e tente novamente.',
    // by status, for responses without a text from the server
    response: {
      401: 'Entre novamente para continuar.',
      403: 'Não tem permissão para isto.',
      404: 'O que procura não existe.',
      413: 'O que enviou é grande demais.',
      429: 'Foram muitos pedidos seguidos. Tente novamente daqui a pouco.',
      refused: 'O servidor não aceitou o pedido.',
      failed: 'Algo falhou no servidor. Tente novamente daqui a pouco.',
      unavailable: 'O servidor não está disponível neste momento. Tente novamente daqui a pouco.',
    },
    list: 'Não foi possível carregar.',
    offline: 'Sem ligação. A mostrar o que já foi carregado.',
    offlineWaiting: 'Sem ligação. A mostrar o que já foi carregado. O que fez é enviado assim que a ligação voltar.',
    offlineEmpty: 'Sem ligação.',
    offlineHint: 'Assim que a ligação voltar, isto carrega sozinho.',
    changedElsewhere:
      'Foi alterado noutro lugar entretanto. Já mostramos como ficou: se ainda quiser, repita a sua alteração.',
  },

  // the specification gives these texts in English, but for the last
  fallback: {
    shell: 'Something went wrong',
    route: 'Something went wrong!',
    show: 'Show Error',
    hide: 'Hide Error',
    notFound: 'Not Found',
    support: 'Se voltar a acontecer, contacte o suporte.',
  },

  notFound: {
    code: '404',
    title: 'Você Está Perdido??',
    text: 'A página que procura não existe. O endereço pode ter sido mal escrito ou a página mudou de lugar.',
    support: 'Se isto parece um erro, contacte o suporte.',
    home: 'Leve-me para casa',
  },

  index: {
    title: 'Siga o que importa. Receba na hora.',
    text: 'Os canais que escolher, num só lugar e em todos os seus dispositivos. Sem algoritmo: só o que decidiu seguir.',
    signIn: 'Começar',
    feed: 'Ver notificações',
    waitlist: 'Pedir convite',
    demo: 'Ver demonstração',
    categories: 'O que há para seguir',
    popular: 'Canais populares',
    all: 'Ver todos os canais',
    example: {
      channel: 'Metro',
      title: 'Linha azul reaberta',
      body: 'A circulação foi retomada em toda a linha.',
      time: 'agora',
    },
  },

  picture: {
    open: (of: string) => `Ver a imagem de «${of}»`,
    of: (of: string) => `Imagem de «${of}»`,
  },

  report: {
    action: 'Denunciar',
    sent: 'Denúncia enviada. Obrigado.',
  },

  feed: {
    title: 'Notificações',
    all: 'Tudo',
    parts: {
      label: 'Partes das notificações',
      unread: 'Por ler',
      important: 'Importantes',
      snoozed: 'Mais tarde',
      archived: 'Arquivadas',
    },
    search: 'Procurar nas notificações',
    closePane: 'Fechar a notificação',
    markAll: 'Marcar tudo como lido',
    markAllShort: 'Marcar tudo',
    markedAll: 'Está tudo lido.',
    markAllFailed: 'Não foi possível marcar tudo como lido.',
    markFailed: 'Não foi possível marcar como lida.',
    unread: 'Por ler',
    unreadCount: (count: number) => plural(count, 'por ler', 'por ler'),
    listen: 'Ouvir',
    stopListening: 'Parar',
    now: 'Agora',
    until: (moment: string) => `até ${moment}`,
    expired: 'já passou',
    latest: (time: string) => `a última ${at(time)}`,
    markChannel: 'Marcar tudo deste canal como lido',
    archiveChannel: 'Arquivar o que está por ler',
    important: 'Importante',
    edited: 'corrigida',
    yours: 'A sua, que acabou de chegar',
    arrived: (count: number) => plural(count, 'nova notificação', 'novas notificações'),
    more: 'Ler mais',
    less: 'Ler menos',
    open: 'Abrir',
    list: 'Lista de notificações',
    end: 'É tudo por agora.',
    found: (count: number) => plural(count, 'resultado', 'resultados'),
    foundAll: 'São todos os resultados.',
    emptyChannel: {
      title: 'Este canal ainda não publicou nada',
      text: 'O que publicar aparece aqui, na hora.',
    },
    focused: 'A notificação que abriu',
    gone: 'A notificação que abriu já não está aqui.',
    options: 'Opções',
    read: 'Marcar como lida',
    unreadAgain: 'Marcar como não lida',
    archive: 'Arquivar',
    restore: 'Desarquivar',
    archived: (count: number) => (count === 1 ? 'Notificação arquivada.' : `${number(count)} notificações arquivadas.`),
    restored: 'Voltou às notificações.',
    archiveFailed: 'Não foi possível arquivar.',
    restoreFailed: 'Não foi possível desarquivar.',
    share: 'Partilhar',
    shareWithMembers: 'Partilhar com membros',
    copied: 'Link copiado.',
    copiedForMembers: 'Link copiado. Só os membros do canal o podem abrir.',
    shareFailed: 'Não foi possível partilhar.',
    undoFailed: 'Não foi possível anular.',
  },

  followed: {
    title: 'Canais que segue',
    all: 'Todos os canais',
    empty: 'Ainda não segue nenhum canal.',
    search: 'Procurar nos que segue',
    notFound: 'Não segue nenhum canal com esse nome.',
    bellOf: (channel: string) => `Sino de ${channel}`,
    bellIs: (channel: string, state: string) => `Sino de ${channel}: ${state}`,
    bell: {
      all: 'Tocar sempre',
      important: 'Só o importante',
      digest: 'Resumo diário',
      none: 'Não tocar',
    },
    bellHint: {
      all: 'Tudo o que o canal publicar.',
      important: 'Só o que o canal marcar como importante.',
      digest: 'O importante na hora e, uma vez por dia, um resumo do resto.',
      none: 'Fica à espera na página Notificações.',
    },
    mute: 'Silenciar',
    muteFor: { hour: '1 hora', eightHours: '8 horas', morning: 'Até de manhã', week: '1 semana' },
    muted: (moment: string) => `Silenciado até ${moment}`,
    unmute: 'Voltar a tocar',
    afterwards: 'Depois',
    bellFailed: 'Não foi possível mudar o sino.',
  },

  channels: {
    title: 'Canais',
    search: 'Procurar canais',
    searchHint: 'Nome ou assunto',
    categories: 'Categorias',
    allCategories: 'Todas',
    /**
     * Operators name the categories. Other languages translate the names that `sininho-server dev` starts with, by the
     * name and not by the slug, so that a category that was renamed has its operator's name everywhere.
     */
    category: (name: string) => name,
    see: 'Ver canal',
    write: 'Escrever',
    manage: 'Gerir',
    follow: 'Seguir',
    following: 'A seguir',
    unfollow: 'Deixar de seguir',
    followName: (name: string) => `Seguir ${name}`,
    unfollowName: (name: string) => `A seguir ${name}: deixar de seguir`,
    followed: (name: string) => `Agora segue ${name}.`,
    followFailed: 'Não foi possível seguir o canal.',
    followAllFailed: 'Não foi possível seguir todos os canais.',
    unfollowed: 'Deixou de seguir o canal.',
    unfollowFailed: 'Não foi possível deixar de seguir o canal.',
    followers: (count: number) => (count === 0 ? 'Novo' : plural(count, 'seguidor', 'seguidores')),
    notifications: (count: number) => plural(count, 'notificação', 'notificações'),
    by: (publisher: string) => `de ${publisher}`,
    found: (count: number) => plural(count, 'canal', 'canais'),
    empty: { title: 'Nenhum canal encontrado', text: 'Experimente outra palavra ou outra categoria.' },
    none: { title: 'Ainda não há canais', text: 'Assim que alguém criar um, aparece aqui.' },
    clear: 'Limpar a procura',
    missing: {
      title: 'Este canal não existe',
      text: 'Pode ter sido apagado, ou o endereço estar mal escrito.',
      action: 'Ver todos os canais',
    },
    private: 'Privado',
    suspended: {
      title: 'Este canal está suspenso',
      text: 'Por agora, não se vê o que publicou. Se o segue, volta tudo quando a suspensão acabar.',
      mark: 'Suspenso',
      reason: (reason: string) => `Só quem gere este canal o vê. Motivo da suspensão: ${reason}`,
    },
  },

  settings: {
    title: 'Preferências',
    signOut: 'Sair',
    signOutFailed: 'Não foi possível sair.',
  },

  dates: {
    today: 'Hoje',
    yesterday: 'Ontem',
    at,
    tomorrowAt: (time: string) => `amanhã ${at(time)}`,
    dayAt: (day: string, time: string) => `${day}, ${at(time)}`,
  },
} as const

/** The service worker's texts, separate to keep its bundle small. */
export const workerWords = {
  title: 'Sininho',
  body: 'Tem uma notificação nova.',
  archive: 'Arquivar',
  mute: 'Silenciar 1 hora',
} as const
