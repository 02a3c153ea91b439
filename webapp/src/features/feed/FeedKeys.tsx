import { ActionIcon } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { IconKeyboard } from '@tabler/icons-react'
import { useState } from 'react'
import type { FeedView } from '../../data/notifications'
import { keys } from '../../i18n/keys'
import { isWeb, linkTarget, safeLink } from '../../lib/paths'
import { onDemand } from '../../ui/onDemand'
import { type GroupDeeds, focusNextTo, groupOf, notificationOf } from './cards'
import classes from './feed.module.css'
import { useKeys } from './useKeys'
import { useKeysOn } from './useKeysOn'
import { useNotificationActions } from './useNotificationActions'
import { useSnoozing } from './useSnoozing'
import { focusCard, markedCard, useTravel } from './useTravel'

const KeysSheet = onDemand(() => import('./KeysSheet'))

type Props = {
  view: FeedView
  /** The reader follows what is shown, so that it can be marked and archived. */
  followed: boolean
  /** The id of the notification beside the list. */
  beside?: string
  /** Shows a notification beside the list, or none. Absent where there is no room for that. */
  show?: (id: string | undefined) => void
}

/** Triage by keyboard, and the button that shows the keys. */
export default function FeedKeys({ view, followed, beside, show }: Props) {
  const actions = useNotificationActions()
  const snoozing = useSnoozing()
  const [on, setOn] = useKeysOn()
  const [open, setOpen] = useState(false)
  const { go, goTo } = useTravel(view, show)

  /** Acts on the marked card, once for each press. */
  const onMarked =
    (act: (notification: Notification, card: HTMLElement) => void, deed?: keyof GroupDeeds) => (repeated: boolean) => {
      const card = markedCard()
      if (!card || repeated) return
      const notification = notificationOf(card)
      if (notification) act(notification, card)
      else if (deed) groupOf(card)?.[deed]()
    }
  const follow = onMarked(({ id, link, readAt }, card) => {
    const url = safeLink(link)
    if (!url) return
    if (linkTarget(url, location.origin) === 'refused')
      return card.querySelector<HTMLElement>(':is(h3, h5) button')?.click()
    window.open(url.href, isWeb(url) ? '_blank' : '_self', 'noopener,noreferrer')
    if (followed && !readAt) actions.open(id)
  })
  const leave = (id: string, card: HTMLElement) => {
    const next = focusNextTo(card)
    if (next && beside === id) goTo(next)
    else if (next) focusCard(next)
    else if (beside === id) show?.(undefined)
  }
  const archive = onMarked((notification, card) => {
    const { id, archivedAt, snoozedUntil } = notification
    leave(id, card)
    if (snoozedUntil) snoozing.bringBack(notification)
    else actions.archive(id, !archivedAt)
  }, 'archive')
  const snooze = onMarked((notification, card) => snoozing.ask(notification, () => leave(notification.id, card)))
  const setRead = onMarked(({ id, readAt }) => actions.setRead(id, !readAt), 'read')
  const triage = followed && { e: archive, u: setRead, b: snooze }
  useKeys(
    on
      ? {
          ...triage,
          j: (repeated) => go(1, repeated),
          k: (repeated) => go(-1, repeated),
          o: follow,
          '/': () => document.querySelector<HTMLInputElement>('main input[type=search]')?.select(),
          '?': () => setOpen(true),
          Escape: beside === undefined ? undefined : () => show?.(undefined),
        }
      : {},
  )
  return (
    <>
      <ActionIcon
        className={classes.keys}
        aria-label={keys.title}
        aria-haspopup="dialog"
        title={keys.title}
        onClick={() => setOpen(true)}
      >
        <IconKeyboard size={22} aria-hidden />
      </ActionIcon>
      {snoozing.sheet}
      {open && <KeysSheet on={on} onChange={setOn} onClose={() => setOpen(false)} />}
    </>
  )
}
