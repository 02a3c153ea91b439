import type { discovery as original } from '../discovery'
import type { Translation } from '../translation'
import { number, plural } from './words'

/** The texts of finding channels and of the pages of publishers, separate because `/` does without them. */
export const discovery = {
  back: 'Voltar aos canais',
  order: 'Ordem',
  orders: { popular: 'Populares', trending: 'Em alta', newest: 'Novos' },
  publishers: 'Quem publica',
  everywhere: 'Buscar em todas as categorias',
  opensElsewhere: 'abre em outra aba',

  foundIn: { category: 'Categoria', published: 'No que publicou' },

  publisher: {
    channels: 'Canais',
    none: { title: 'Ainda não há canais', text: 'Assim que este publicador criar um, ele aparece aqui.' },
    latest: (publisher: string) => `Últimas de ${publisher}`,
    missing: 'Este publicador não existe',
    see: (name: string) => `Ver os canais de ${name}`,
    followAll: 'Seguir todos',
    followedAll: (count: number) => `Agora você segue mais ${plural(count, 'canal', 'canais')}.`,
    followedSome: (count: number, failed: number) =>
      `Agora você segue mais ${plural(count, 'canal', 'canais')}. Não foi possível seguir ${number(failed)}.`,
    followedMost: (count: number) =>
      `Agora você segue mais ${plural(count, 'canal', 'canais')}. Para os outros, toque em “Seguir todos” de novo.`,
    suspended: (reason: string) => `Só quem gerencia este publicador pode vê-lo. Motivo da suspensão: ${reason}`,
  },

  followers: {
    base: (count: number) => `A escala começa em ${number(count)}.`,
    title: 'Seguidores por dia',
    series: 'Seguidores',
    change: (change: number, days: number) => {
      const when = plural(days, 'dia', 'dias')
      if (change === 0) return `Nenhuma mudança em ${when}`
      return `${change > 0 ? '+' : '−'}${number(Math.abs(change))} em ${when}`
    },
  },
} as const satisfies Translation<typeof original>
