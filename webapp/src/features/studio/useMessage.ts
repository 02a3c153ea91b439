import type { Channel } from '@sininho/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type SavedDraft, draftKeys, draftQuery } from '../../data/drafts'
import { DraftSaver, type Saved } from './draft-saver'
import { type Message, contentOf, emptyMessage, messageOfContent } from './message'

/**
 * What the person is writing in a channel, which is saved as a draft once it is changed. It begins with a draft, or else
 * with `given`. `onSaved` is called with the id of a new draft while the screen is open.
 */
export function useMessage(
  channel: Channel,
  draft: SavedDraft | undefined,
  given: Message | undefined,
  onSaved: (id: string) => void,
) {
  const client = useQueryClient()
  const [message, setMessage] = useState<Message>(() =>
    draft ? messageOfContent(draft.content) : (given ?? emptyMessage),
  )
  const [first] = useState(message)
  const [saved, setSaved] = useState<Saved>(draft && 'saved')
  const [saver] = useState(
    () =>
      new DraftSaver(channel, draft, (stored) => {
        if (stored) client.setQueryData(draftQuery(channel, stored.id).queryKey, stored)
        void client.invalidateQueries({ queryKey: draftKeys.drafts(channel), exact: true })
      }),
  )
  useEffect(
    () =>
      saver.listen((now, created) => {
        setSaved(now)
        if (created) onSaved(created)
      }),
    [saver, onSaved],
  )
  useEffect(() => {
    if (message !== first) saver.change(contentOf(message))
  }, [message, first, saver])
  useEffect(() => {
    const flush = () => void saver.flush()
    const ifHidden = () => document.visibilityState === 'hidden' && flush()
    document.addEventListener('visibilitychange', ifHidden)
    window.addEventListener('pagehide', flush)
    window.addEventListener('online', flush)
    return () => {
      document.removeEventListener('visibilitychange', ifHidden)
      window.removeEventListener('pagehide', flush)
      window.removeEventListener('online', flush)
      flush()
    }
  }, [saver])
  const discard = async () => {
    await saver.discard().catch(() => undefined) // it stays in the list
    await client.invalidateQueries({ queryKey: draftKeys.drafts(channel) })
  }
  return { message, saved, change: setMessage, discard }
}
