import type { Channel, Notification } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { studio } from '../../i18n/studio'
import { BackLink } from '../../ui/BackLink'
import { PageTitle } from '../../ui/PageTitle'
import { studioPageOf } from '../../lib/paths'
import { Composer } from './Composer'
import { messageOf } from './message'
import { correctMutation, publishMutation } from './mutations'
import { useMessage } from './useMessage'
import { useSending } from './useSending'

type Props = {
  channel: Channel
  /** The notification that is corrected, or of which a new one is made. */
  notification?: Notification
  correct: boolean
  onDone: () => void
}

/** Writes a notification, or corrects one. */
export function WriteScreen({ channel, notification, correct, onDone }: Props) {
  return (
    <>
      <BackLink {...studioPageOf(channel)}>{channel.name}</BackLink>
      {notification && correct ? (
        <Correction channel={channel} notification={notification} onDone={onDone} />
      ) : (
        <Writing channel={channel} from={notification} onDone={onDone} />
      )}
    </>
  )
}

function Writing({ channel, from, onDone }: { channel: Channel; from?: Notification; onDone: () => void }) {
  const [draft, setDraft] = useMessage(channel)
  const [begun, setBegun] = useState(from === undefined)
  const message = begun || !from ? draft : { ...messageOf(from), expiresAt: '', scheduledAt: '' }
  const sending = useSending(useMutation(publishMutation(channel)), () => {
    setDraft({})
    onDone()
  })
  return (
    <>
      <PageTitle>{studio.writeIn(channel.name)}</PageTitle>
      <Composer
        channel={channel}
        message={message}
        sending={sending}
        onChange={(next) => {
          setBegun(true)
          setDraft(next)
        }}
      />
    </>
  )
}

function Correction({
  channel,
  notification,
  onDone,
}: {
  channel: Channel
  notification: Notification
  onDone: () => void
}) {
  const [message, setMessage] = useState(() => messageOf(notification))
  const sending = useSending(useMutation(correctMutation(channel, notification)), onDone)
  const { correcting, changing, save } = studio.composer
  return (
    <>
      <PageTitle>{notification.publishedAt ? correcting : changing}</PageTitle>
      <Composer
        channel={channel}
        message={message}
        onChange={setMessage}
        sending={sending}
        action={save}
        settled="scheduledAt"
      />
    </>
  )
}
