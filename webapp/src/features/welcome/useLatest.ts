import type { Notification } from '@sininho/sdk'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { activeQuery } from '../../data/channels'
import { latestQuery } from '../../data/notifications'
import { useLiveSamples } from './useLiveSamples'

/** The number of notifications that are shown. */
export const shown = 5

/** Milliseconds after which other channels may have become the latest to publish. */
const lookAgain = 30_000

/**
 * The latest notifications of the channels that have published last, newest first and kept current. Only few channels
 * are followed live, because each needs a connection; that others have published is noticed later.
 */
export function useLatest(paused: boolean) {
  const client = useQueryClient()
  const active = useQuery({ ...activeQuery(), refetchInterval: lookAgain, enabled: !paused })
  const channels = active.data ?? []
  const live = useLiveSamples(channels, !paused)
  const samples = useQueries({
    queries: channels.map((channel) => latestQuery(channel)),
    combine: (results) => ({
      isPending: results.some(({ isPending }) => isPending),
      items: results.flatMap(({ data = [] }) => data).toSorted(newestFirst),
    }),
  })
  // what was published after a sample was fetched and before its stream was open
  useEffect(() => {
    for (const channel of active.data ?? []) {
      const { queryKey } = latestQuery(channel)
      const newest = client.getQueryData(queryKey)?.[0]?.publishedAt
      if (newest && Date.parse(newest) < Date.parse(channel.lastPublishedAt!))
        void client.invalidateQueries({ queryKey })
    }
  }, [active.data, client])
  return { live, isPending: active.isPending || samples.isPending, notifications: samples.items.slice(0, shown) }
}

const newestFirst = (a: Notification, b: Notification) => (b.publishedAt ?? '').localeCompare(a.publishedAt ?? '')
