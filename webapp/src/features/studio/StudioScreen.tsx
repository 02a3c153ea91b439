import type { Channel, Notification } from '@sininho/sdk'
import { useNavigate } from '@tanstack/react-router'
import type { SavedDraft } from '../../data/drafts'
import { studioPageOf } from '../../lib/paths'
import { Column } from '../../ui/Column'
import { onDemand } from '../../ui/onDemand'
import { StudioNav } from './StudioNav'

const ChannelScreen = onDemand(() => import('./ChannelScreen'))
const WriteScreen = onDemand(() => import('./WriteScreen'))
const EditScreen = onDemand(() => import('./EditScreen'))
const Poster = onDemand(() => import('./Poster'))
const ChannelMembers = onDemand(() => import('./ChannelMembers'))
const Webhooks = onDemand(() => import('./Webhooks'))
const Numbers = onDemand(() => import('./Numbers'))
const Month = onDemand(() => import('./Month'))

type Props = {
  /** What follows the channel in the address. */
  page: string
  channel: Channel
  opened?: string
  notification?: Notification
  draft?: SavedDraft
  correct: boolean
  /** Called with the id of a new draft. */
  onSaved: (id: string) => void
  onOpen: (id: string | undefined) => void
}

/** One of the screens in which somebody publishes in a channel. */
export function StudioScreen({ page, channel, opened, notification, draft, correct, onSaved, onOpen }: Props) {
  const navigate = useNavigate()
  switch (page) {
    case 'write':
      return (
        <Column wide>
          <WriteScreen
            channel={channel}
            notification={notification}
            draft={draft}
            correct={correct}
            onSaved={onSaved}
            onDone={() => void navigate(studioPageOf(channel))}
          />
        </Column>
      )
    case 'edit':
      return (
        <Column>
          <EditScreen channel={channel} onRemoved={() => void navigate({ to: '/studio' })} />
        </Column>
      )
    case 'poster':
      return <Poster channel={channel} />
    case 'members':
      return (
        <Column>
          <ChannelMembers channel={channel} />
        </Column>
      )
    case 'webhooks':
      return (
        <Column>
          <Webhooks channel={channel} opened={opened} onOpen={onOpen} />
        </Column>
      )
    case 'numbers':
      return (
        <Column>
          <Numbers channel={channel} />
        </Column>
      )
    case 'month':
      return (
        <Column>
          <Month channel={channel} opened={opened} onOpen={onOpen} />
        </Column>
      )
    default:
      return (
        <Column aside={<StudioNav channel={channel} />}>
          <ChannelScreen channel={channel} opened={opened} onOpen={onOpen} />
        </Column>
      )
  }
}
