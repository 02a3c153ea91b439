import { Group } from '@mantine/core'
import type { Channel, Notification } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { SavedDraft } from '../../data/drafts'
import { studio } from '../../i18n/studio'
import { BackLink } from '../../ui/BackLink'
import { PageTitle } from '../../ui/PageTitle'
import { studioPageOf } from '../../lib/paths'
import { Composer } from './Composer'
import { messageOf, messageOfContent } from './message'
import { correctMutation, publishMutation } from './mutations'
import { SavedNote } from './SavedNote'
import { SaveAsTemplate } from './SaveAsTemplate'
import { TemplateChoice } from './TemplateChoice'
import { useMessage } from './useMessage'
import { useSending } from './useSending'

type Props = Writing & {
  correct: boolean
}

type Writing = {
  channel: Channel
  /** The notification that is corrected, or of which a new one is made. */
  notification?: Notification
  /** What is gone on with. */
  draft?: SavedDraft
  /** Called with the id of a new draft. */
  onSaved: (id: string) => void
  onDone: () => void
}

/** Writes a notification, or corrects one. */
export default function WriteScreen({ correct, ...writing }: Props) {
  const { channel, notification, onDone } = writing
  return notification && correct ? (
    <Correction channel={channel} notification={notification} onDone={onDone} />
  ) : (
    <NewMessage {...writing} />
  )
}

const Back = ({ channel }: { channel: Channel }) => <BackLink {...studioPageOf(channel)}>{channel.name}</BackLink>

function NewMessage({ channel, notification: from, draft, onSaved, onDone }: Writing) {
  const again = from && { ...messageOf(from), expiresAt: '', scheduledAt: '' }
  const { message, saved, change, discard } = useMessage(channel, draft, again, onSaved)
  // a template replaces all that the composer shows, and so begins another one
  const [used, setUsed] = useState(0)
  const leave = () => {
    void discard()
    onDone()
  }
  const sending = useSending(useMutation(publishMutation(channel)), leave)
  return (
    <>
      <Group justify="space-between" gap="0 8px">
        <Back channel={channel} />
        <Group gap={4} wrap="nowrap">
          <SavedNote saved={saved} />
          <SaveAsTemplate channel={channel} message={message} onRepeat={leave} />
        </Group>
      </Group>
      <PageTitle>{studio.writeIn(channel.name)}</PageTitle>
      {message.text === '' && (
        <TemplateChoice
          channel={channel}
          onChoose={(content) => {
            change(messageOfContent(content))
            setUsed(used + 1)
          }}
        />
      )}
      <Composer key={used} channel={channel} message={message} sending={sending} onChange={change} />
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
      <Back channel={channel} />
      <PageTitle>{notification.publishedAt ? correcting : changing}</PageTitle>
      <Composer
        channel={channel}
        message={message}
        onChange={setMessage}
        sending={sending}
        action={save}
        settled="scheduledAt"
        corrects={notification.publishedAt !== undefined}
      />
    </>
  )
}
