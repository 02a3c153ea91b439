import { Button, Group, Paper, Text } from '@mantine/core'
import type { Channel, Notification } from '@sininho/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { studio } from '../../i18n/studio'
import { draftQuery } from '../../data/drafts'
import { studioPageOf } from '../../lib/paths'
import { untilLabel } from '../../lib/spans'
import { LinkButton } from '../../ui/LinkButton'
import { ConfirmButton } from '../../ui/ConfirmButton'
import { publishNowMutation, takeBackMutation, withdrawMutation } from './mutations'
import { useCountdown } from './useCountdown'

const words = studio.channel

type Props = { channel: Channel; notification: Notification }

/** A notification that is not yet published: it can be changed, and one that leaves in seconds taken back. */
export function ScheduledRow({ channel, notification }: Props) {
  const at = new Date(notification.scheduledAt!)
  const left = useCountdown(at)
  return (
    <Paper component="li" withBorder p="12px 16px" mb={8}>
      <Text fw={600} lineClamp={2} dir="auto">
        {notification.title}
      </Text>
      <Group justify="space-between" gap={8}>
        <Text c="dimmed" fz="sm">
          {left === undefined ? words.at(untilLabel(at)) : words.leaves(left)}
        </Text>
        {left === undefined ? (
          <Planned channel={channel} notification={notification} />
        ) : (
          <TakeBack channel={channel} notification={notification} />
        )}
      </Group>
    </Paper>
  )
}

function Planned({ channel, notification: { id, title } }: Props) {
  const publish = useMutation(publishNowMutation(channel))
  const cancel = useMutation(withdrawMutation(channel, words.cancelled))
  return (
    <Group gap={8}>
      <Button size="sm" variant="default" px={12} loading={publish.isPending} onClick={() => publish.mutate(id)}>
        {words.now}
      </Button>
      <LinkButton {...studioPageOf(channel, 'write', { correct: id })} size="sm" variant="default" px={12}>
        {words.change}
      </LinkButton>
      <ConfirmButton
        size="sm"
        variant="subtle"
        color="danger"
        px={12}
        ms={-8}
        question={words.cancelQuestion(title)}
        text={words.cancelText}
        loading={cancel.isPending}
        onConfirm={() => cancel.mutate(id)}
      >
        {words.cancel}
      </ConfirmButton>
    </Group>
  )
}

/** Takes a notification back before it leaves, and returns to its text, which is a draft then. */
function TakeBack({ channel, notification }: Props) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const withdraw = useMutation({
    ...takeBackMutation(channel),
    // here, because the row may be gone by then
    onSuccess: (draft) => {
      client.setQueryData(draftQuery(channel, draft.id).queryKey, draft)
      void navigate(studioPageOf(channel, 'write', { draft: draft.id }))
    },
  })
  return (
    <Button
      size="sm"
      aria-label={words.takeBackOf(notification.title)}
      loading={withdraw.isPending}
      onClick={() => withdraw.mutate(notification)}
    >
      {words.takeBack}
    </Button>
  )
}
