import { useQuery } from '@tanstack/react-query'
import { authQuery } from '../../data/session'
import { type ChannelAddress, formatChannel } from '../../lib/paths'
import { useDraft } from '../../ui/useDraft'
import { type Message, emptyMessage } from './message'

/** What the person is writing in a channel, which survives a reload. */
export function useMessage(channel: ChannelAddress) {
  const { data } = useQuery(authQuery())
  const [draft, setDraft] = useDraft<Partial<Message>>(`studio.${data?.subscriber?.id}.${formatChannel(channel)}`, {})
  const message: Message = { ...emptyMessage, ...draft }
  return [message, setDraft] as const
}
