import { Group, Text } from '@mantine/core'
import type { Channel, Notification } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { memo } from 'react'
import { studio } from '../../i18n/studio'
import { words as common } from '../../i18n/words'
import { studioPageOf } from '../../lib/paths'
import { LinkButton } from '../../ui/LinkButton'
import { ConfirmButton } from '../../ui/ConfirmButton'
import { DatedMoment } from '../../ui/DatedMoment'
import { Fold } from './Fold'
import { withdrawMutation } from './mutations'
import { Outcome } from './Outcome'
import classes from './studio.module.css'

const words = studio.channel

type Props = { channel: Channel; notification: Notification; open: boolean; onOpen: (id: string | undefined) => void }

/** A published notification which, opened, shows what became of it and what can be done about it. */
export const PublishedRow = memo(function PublishedRow({ channel, notification, open, onOpen }: Props) {
  const { id, title, publishedAt, editedAt } = notification
  return (
    <li>
      <Fold
        open={open}
        onChange={() => onOpen(open ? undefined : id)}
        summary={
          <>
            <Text span fw={550} lineClamp={2} className={classes.grow} dir="auto">
              {title}
            </Text>
            {editedAt && (
              <Text span c="dimmed" fz="sm">
                {common.feed.edited}
              </Text>
            )}
            <DatedMoment at={publishedAt!} />
          </>
        }
      >
        <Outcome channel={channel} id={id} title={title} />
        <Group gap={8} mt={12}>
          <LinkButton {...studioPageOf(channel, 'write', { correct: id })} size="sm" variant="default">
            {words.correct}
          </LinkButton>
          <LinkButton {...studioPageOf(channel, 'write', { from: id })} size="sm" variant="default">
            {words.again}
          </LinkButton>
          <Withdraw channel={channel} notification={notification} />
        </Group>
      </Fold>
    </li>
  )
})

function Withdraw({ channel, notification: { id, title } }: Pick<Props, 'channel' | 'notification'>) {
  const withdraw = useMutation(withdrawMutation(channel, words.withdrawn))
  return (
    <ConfirmButton
      size="sm"
      variant="subtle"
      color="danger"
      px={12}
      ms={-8}
      question={words.withdrawQuestion(title)}
      text={words.withdrawText}
      loading={withdraw.isPending}
      onConfirm={() => withdraw.mutate(id)}
    >
      {words.withdraw}
    </ConfirmButton>
  )
}
