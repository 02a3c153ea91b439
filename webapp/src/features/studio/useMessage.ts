import { useQuery } from '@tanstack/react-query'
import { authQuery } from '../../data/session'
import { type ChannelAddress, formatChannel } from '../../lib/paths'
import { useDraft } from '../../ui/useDraft'
import { type Message, emptyMessage } from './message'

/** The name of the draft of what the person is writing in a channel. */
export function useDraftName(channel: ChannelAddress): string {
  const { data } = useQuery(authQuery())
  return `studio.${data?.subscriber?.id}.${formatChannel(channel)}`
}

/** What the person is writing in a channel, which survives a reload. */
export function useMessage(channel: ChannelAddress) {
  const [draft, setDraft] = useDraft<Partial<Message>>(useDraftName(channel), {})
  const message: Message = { ...emptyMessage, ...draft }
  return [message, setDraft] as const
}
