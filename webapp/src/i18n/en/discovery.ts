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

  publisher: {
    channels: 'Channels',
    none: { title: 'No channels yet', text: 'As soon as this publisher creates one, it will appear here.' },
    latest: (publisher: string) => `Latest from ${publisher}`,
    missing: 'This publisher doesn’t exist',
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
    today: 'Counted from today on',
  },
} as const satisfies Translation<typeof original>
