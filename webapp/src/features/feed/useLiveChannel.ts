import { streamChannel } from '@sininho/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { applyEvent } from '../../data/feed-events'
import { env } from '../../env'
import type { ChannelAddress } from '../../lib/paths'
import { useVisible } from '../../ui/useVisible'

/**
 * Updates a channel's list from its public stream. Not needed for followed channels, which are in the person's own
 * stream. Returns whether the stream is connected.
 */
export function useLiveChannel({ publisherSlug, slug }: ChannelAddress, enabled = true): boolean {
  const client = useQueryClient()
  const visible = useVisible()
  const [live, setLive] = useState(false)
  useEffect(() => {
    if (!visible || !enabled) return undefined
    const leaving = new AbortController()
    const follow = async () => {
      const events = streamChannel(publisherSlug, slug, { baseUrl: env().API_BASE_URL, signal: leaving.signal })
      for await (const event of events) {
        setLive(true)
        applyEvent(client, event, { feed: false })
      }
    }
    follow().catch(() => setLive(false))
    return () => {
      leaving.abort()
      setLive(false)
    }
  }, [client, publisherSlug, slug, visible, enabled])
  return live
}
