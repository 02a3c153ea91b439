import { number, plural } from './words'

/** The texts of finding channels and of the pages of publishers, separate because `/` does without them. */
export const discovery = {
  back: 'Voltar aos canais',
  order: 'Ordem',
  orders: { popular: 'Populares', trending: 'Em alta', newest: 'Novos' },
  publishers: 'Quem publica',
  everywhere: 'Procurar em todas as categorias',
  opensElsewhere: 'abre noutro separador',

  foundIn: { category: 'Categoria', published: 'No que publicou' },

  publisher: {
    channels: 'Canais',
    none: { title: 'Ainda não tem canais', text: 'Assim que criar um, aparece aqui.' },
    latest: (publisher: string) => `Últimas de ${publisher}`,
    missing: 'Este publicador não existe',
    see: (name: string) => `Ver os canais de ${name}`,
    followAll: 'Seguir todos',
    followedAll: (count: number) => `Agora segue mais ${plural(count, 'canal', 'canais')}.`,
    followedSome: (count: number, failed: number) =>
      `Agora segue mais ${plural(count, 'canal', 'canais')}. Não foi possível seguir ${number(failed)}.`,
    followedMost: (count: number) =>
      `Agora segue mais ${plural(count, 'canal', 'canais')}. Para os outros, carregue outra vez em «Seguir todos».`,
    suspended: (reason: string) => `Só quem gere este publicador o vê. Motivo da suspensão: ${reason}`,
  },

  followers: {
    title: 'Seguidores por dia',
    base: (count: number) => `A escala começa em ${number(count)}.`,
    series: 'Seguidores',
    change: (change: number, days: number) => {
      const when = plural(days, 'dia', 'dias')
      if (change === 0) return `Sem mudança em ${when}`
      return `${change > 0 ? '+' : '−'}${number(Math.abs(change))} em ${when}`
    },
  },
} as const
