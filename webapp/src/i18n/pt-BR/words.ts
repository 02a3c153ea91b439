import type { words as original, workerWords as originalWorkerWords } from '../words'
import type { Translation } from '../translation'
import { language } from './language'

/** A count with its noun: "1 canal", "1.200 canais". */
export const plural = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`
const at = (time: string) => (time.startsWith('01') ? `à ${time}` : `às ${time}`)
/** A number with thousands separators. */
export const number = (count: number) => new Intl.NumberFormat(language).format(count)
/** The time of day, with seconds. */
export const clock = (time: Date) => new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(time)

/** What the categories that come with Sininho are called here, where that differs. */
const categories = new Map([['Desporto', 'Esportes']])

/** All texts but those that have a file of their own. */
export const words = {
  appName: 'Sininho',
  skipToContent: 'Pular para o conteúdo',
  tryAgain: 'Tentar de novo',
  close: 'Fechar',
  cancel: 'Cancelar',
  save: 'Salvar',
  loadMore: 'Carregar mais',
  loading: 'Carregando…',
  copy: 'Copiar',
  copied: 'Copiado',
  copyFailed: 'Não foi possível copiar. Selecione o texto.',
  number,
  /** What is wrong with a setting. */
  env: { missing: 'é obrigatório', empty: 'está vazio', invalid: 'é inválido' },

  nav: {
    label: 'Principal',
    home: 'Início',
    feed: 'Notificações',
    channels: 'Canais',
    demo: 'Demonstração',
    publish: 'Publicar',
    settings: 'Configurações',
    signIn: 'Entrar',
    unread: (count: number) => plural(count, 'não lida', 'não lidas'),
  },

  toast: {
    success: 'Tudo certo!',
    networkFailure: 'Algo deu errado!',
    dismiss: 'Fechar aviso',
    undo: 'Desfazer',
  },

  errors: {
    network: 'Não foi possível acessar o servidor. Verifique sua conexão e tente de novo.',
    // by status, for responses without a text from the server
    response: {
      401: 'Entre de novo para continuar.',
      403: 'Você não tem permissão para isso.',
      404: 'O que você procura não existe.',
      413: 'O que você enviou é grande demais.',
      429: 'Foram muitas solicitações seguidas. Tente de novo daqui a pouco.',
      refused: 'O servidor não aceitou a solicitação.',
      failed: 'Algo falhou no servidor. Tente de novo daqui a pouco.',
      unavailable: 'O servidor não está disponível no momento. Tente de novo daqui a pouco.',
    },
    list: 'Não foi possível carregar.',
    offline: 'Sem conexão. Mostrando o que já foi carregado.',
    offlineWaiting: 'Sem conexão. Mostrando o que já foi carregado. O que você fez será enviado assim que ela voltar.',
    offlineEmpty: 'Sem conexão.',
    offlineHint: 'Assim que a conexão voltar, isto carrega sozinho.',
    changedElsewhere:
      'Houve uma alteração em outro lugar nesse meio-tempo. Já mostramos como ficou: se ainda quiser, repita a sua.',
  },

  // the specification gives these texts in English, but for the last
  fallback: {
    shell: 'Something went wrong',
    route: 'Something went wrong!',
    show: 'Show Error',
    hide: 'Hide Error',
    notFound: 'Not Found',
    support: 'Se acontecer de novo, fale com o suporte.',
  },

  notFound: {
    code: '404',
    title: 'Você Está Perdido??',
    text: 'A página que você procura não existe. O endereço pode ter sido digitado errado ou a página mudou de lugar.',
    support: 'Se isso parece um erro, fale com o suporte.',
    home: 'Leve-me para casa',
  },

  index: {
    title: 'Siga o que importa. Receba na hora.',
    text: 'Os canais que você escolher, em um só lugar e em todos os seus dispositivos. Sem algoritmo: só o que você decidiu seguir.',
    signIn: 'Começar',
    feed: 'Ver notificações',
    waitlist: 'Pedir convite',
    demo: 'Ver demonstração',
    categories: 'O que há para seguir',
    popular: 'Canais populares',
    all: 'Ver todos os canais',
    example: {
      channel: 'Metrô',
      title: 'Linha azul reaberta',
      body: 'Os trens voltaram a circular em toda a linha.',
      time: 'agora',
    },
  },

  picture: {
    open: (of: string) => `Ver a imagem de “${of}”`,
    of: (of: string) => `Imagem de “${of}”`,
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
      unread: 'Não lidas',
      important: 'Importantes',
      snoozed: 'Mais tarde',
      archived: 'Arquivadas',
    },
    search: 'Buscar nas notificações',
    closePane: 'Fechar a notificação',
    markAll: 'Marcar tudo como lido',
    markAllShort: 'Marcar tudo',
    markedAll: 'Está tudo lido.',
    markAllFailed: 'Não foi possível marcar tudo como lido.',
    markFailed: 'Não foi possível marcar como lida.',
    unread: 'Não lida',
    unreadCount: (count: number) => plural(count, 'não lida', 'não lidas'),
    listen: 'Ouvir',
    stopListening: 'Parar',
    now: 'Agora',
    until: (moment: string) => `até ${moment}`,
    expired: 'já passou',
    latest: (time: string) => `a última ${at(time)}`,
    markChannel: 'Marcar tudo deste canal como lido',
    archiveChannel: 'Arquivar as não lidas',
    important: 'Importante',
    edited: 'corrigida',
    yours: 'A sua, que acabou de chegar',
    arrived: (count: number) => plural(count, 'nova notificação', 'novas notificações'),
    more: 'Ler mais',
    less: 'Ler menos',
    open: 'Abrir',
    list: 'Lista de notificações',
    end: 'Por enquanto é só.',
    found: (count) => plural(count, 'resultado', 'resultados'),
    foundAll: 'São todos os resultados.',
    emptyChannel: {
      title: 'Este canal ainda não publicou nada',
      text: 'O que ele publicar aparece aqui, na hora.',
    },
    focused: 'A notificação que você abriu',
    gone: 'A notificação que você abriu não está mais aqui.',
    options: 'Opções',
    read: 'Marcar como lida',
    unreadAgain: 'Marcar como não lida',
    archive: 'Arquivar',
    restore: 'Desarquivar',
    archived: (count: number) => (count === 1 ? 'Notificação arquivada.' : `${number(count)} notificações arquivadas.`),
    restored: 'Está de volta nas notificações.',
    archiveFailed: 'Não foi possível arquivar.',
    restoreFailed: 'Não foi possível desarquivar.',
    share: 'Compartilhar',
    shareWithMembers: 'Compartilhar com membros',
    copied: 'Link copiado.',
    copiedForMembers: 'Link copiado. Só os membros do canal podem abri-lo.',
    shareFailed: 'Não foi possível compartilhar.',
    undoFailed: 'Não foi possível desfazer.',
  },

  followed: {
    title: 'Canais que você segue',
    all: 'Todos os canais',
    empty: 'Você ainda não segue nenhum canal.',
    search: 'Buscar nos que você segue',
    notFound: 'Você não segue nenhum canal com esse nome.',
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
      none: 'Fica à sua espera na página Notificações.',
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
    search: 'Buscar canais',
    searchHint: 'Nome ou assunto',
    categories: 'Categorias',
    allCategories: 'Todas',
    category: (name: string) => categories.get(name) ?? name,
    see: 'Ver canal',
    write: 'Escrever',
    manage: 'Gerenciar',
    follow: 'Seguir',
    following: 'Seguindo',
    unfollow: 'Deixar de seguir',
    followName: (name: string) => `Seguir ${name}`,
    unfollowName: (name: string) => `Seguindo ${name}: deixar de seguir`,
    followed: (name: string) => `Agora você segue ${name}.`,
    followFailed: 'Não foi possível seguir o canal.',
    followAllFailed: 'Não foi possível seguir todos os canais.',
    unfollowed: 'Você deixou de seguir o canal.',
    unfollowFailed: 'Não foi possível deixar de seguir o canal.',
    followers: (count: number) => (count === 0 ? 'Novo' : plural(count, 'seguidor', 'seguidores')),
    notifications: (count: number) => plural(count, 'notificação', 'notificações'),
    by: (publisher: string) => `de ${publisher}`,
    found: (count: number) => plural(count, 'canal', 'canais'),
    empty: { title: 'Nenhum canal encontrado', text: 'Tente outra palavra ou outra categoria.' },
    none: { title: 'Ainda não há canais', text: 'Assim que alguém criar um, ele aparece aqui.' },
    clear: 'Limpar a busca',
    missing: {
      title: 'Este canal não existe',
      text: 'Ele pode ter sido excluído ou o endereço pode estar errado.',
      action: 'Ver todos os canais',
    },
    private: 'Privado',
    suspended: {
      title: 'Este canal está suspenso',
      text: 'No momento, o que ele publicou não aparece. Se você o segue, tudo volta quando a suspensão acabar.',
      mark: 'Suspenso',
      reason: (reason: string) => `Só quem gerencia este canal pode vê-lo. Motivo da suspensão: ${reason}`,
    },
  },

  settings: {
    title: 'Configurações',
    signOut: 'Sair',
    signOutFailed: 'Não foi possível sair.',
  },

  dates: {
    today: 'Hoje',
    yesterday: 'Ontem',
    at,
    tomorrowAt: (time: string) => `amanhã ${at(time)}`,
    dayAt: (day: string, time: string) => `${day} ${at(time)}`,
  },
} satisfies Translation<typeof original>

/** The service worker's texts, separate to keep its bundle small. */
export const workerWords = {
  title: 'Sininho',
  body: 'Você tem uma nova notificação.',
  archive: 'Arquivar',
  mute: 'Silenciar 1 hora',
} satisfies Translation<typeof originalWorkerWords>
