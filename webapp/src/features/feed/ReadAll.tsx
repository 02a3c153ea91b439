import { Button } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { IconChecks } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { FeedView } from '../../data/notifications'
import { words } from '../../i18n/words'
import { focusHeading } from '../../lib/focus'
import classes from './feed.module.css'
import { readAllMutation, undoable } from './mutations'

type Props = {
  view: FeedView
  /** One channel; without it, all followed channels. */
  channelId?: string
  /** How many notifications of these channels are unread. */
  unread: number
  loaded?: readonly Notification[]
}

/**
 * Marks all notifications as read. Renders nothing where not all that are unread are seen. Can be undone if all of them
 * are loaded.
 */
export default function ReadAll({ view: { part, q }, channelId, unread, loaded = [] }: Props) {
  const { mutate } = useMutation(readAllMutation())
  const ids = loaded.filter(({ readAt }) => !readAt).map(({ id }) => id)
  if (unread === 0 || part === 'archived' || part === 'snoozed' || q) return null
  return (
    <Button
      size="sm"
      variant="subtle"
      flex="none"
      className={classes.readAll}
      leftSection={<IconChecks size={20} aria-hidden />}
      aria-label={words.feed.markAll}
      title={words.feed.markAll}
      onClick={() => {
        focusHeading() // the button is about to disappear
        mutate({ channelId, unread: ids.length === unread && unread <= undoable ? ids : [] })
      }}
    >
      {words.feed.markAllShort}
    </Button>
  )
}
