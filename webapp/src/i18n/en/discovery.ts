import type { discovery as original } from '../discovery'
import type { Translation } from '../translation'
import { number, plural } from './words'

/** The texts of finding channels and of the pages of publishers, separate because `/` does without them. */
export const discovery = {
  back: 'Back to channels',
  order: 'Order',
  orders: { popular: 'Popular', trending: 'Trending', newest: 'New' },
  publishers: 'Publishers',
  everywhere: 'Search all categories',
  opensElsewhere: 'opens in a new tab',

  foundIn: { category: 'Category', published: 'In what it published' },

  publisher: {
    channels: 'Channels',
    none: { title: 'No channels yet', text: 'As soon as this publisher creates one, it will appear here.' },
    latest: (publisher: string) => `Latest from ${publisher}`,
    missing: 'This publisher doesn’t exist',
    see: (name: string) => `See the channels of ${name}`,
    followAll: 'Follow all',
    followedAll: (count: number) => `You now follow ${plural(count, 'more channel', 'more channels')}.`,
    followedSome: (count: number, failed: number) =>
      `You now follow ${plural(count, 'more channel', 'more channels')}. ${number(failed)} couldn’t be followed.`,
    followedMost: (count: number) =>
      `You now follow ${plural(count, 'more channel', 'more channels')}. For the others, press “Follow all” again.`,
    suspended: (reason: string) =>
      `Only those who manage this publisher can see it. Reason for the suspension: ${reason}`,
  },

  followers: {
    title: 'Followers per day',
    base: (count: number) => `The scale starts at ${number(count)}.`,
    series: 'Followers',
    change: (change: number, days: number) => {
      const when = plural(days, 'day', 'days')
      if (change === 0) return `No change in ${when}`
      return `${change > 0 ? '+' : '−'}${number(Math.abs(change))} in ${when}`
    },
  },
} as const satisfies Translation<typeof original>
