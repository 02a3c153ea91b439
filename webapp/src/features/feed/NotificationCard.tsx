import { ActionIcon, Badge, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconFlag } from '@tabler/icons-react'
import type { Notification } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, Suspense, lazy, memo, useEffect, useId, useRef, useState } from 'react'
import { words } from '../../i18n/words'
import { focusNextTo } from '../../lib/focus'
import { pageOf } from '../../lib/paths'
import { iconOf, imageOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { LinkedText } from '../../ui/LinkedText'
import { Menu } from '../../ui/Menu'
import { PictureButton } from '../../ui/PictureButton'
import ui from '../../ui/ui.module.css'
import { Marks } from './Marks'
import { Moment } from './Moment'
import classes from './feed.module.css'
import { OutLink } from './OutLink'
import { triageOf } from './triage'
import type { NotificationActions } from './useNotificationActions'

// a text is shown without its marks when they cannot be loaded
const FoundText = lazy(() =>
  import('./FoundText').catch(() => ({ default: ({ children }: { q: string; children: string }) => <>{children}</> })),
)

type Props = {
  notification: Notification
  /** The reader's actions. Stable, so that memoized cards do not render again. */
  actions: NotificationActions
  /** The reader follows the channel, so the notification has a read state and can be archived. */
  followed?: boolean
  focused?: boolean
  /** Hides the channel's name, because the whole list is of that channel. */
  inChannel?: boolean
  /** One of many of a channel within an hour, below the first few: only its title is shown. */
  stacked?: boolean
  /** What was searched for. */
  q?: string
  /** The reader has just sent it from this page. */
  own?: boolean
}

/** Characters. A longer body is collapsed, and then at most foldedBody characters of it are rendered. */
const longBody = 280
const foldedBody = 600

/** Memoized on its own props, because a list may hold thousands of cards. */
export const NotificationCard = memo(function NotificationCard({
  notification,
  actions,
  followed = false,
  focused = false,
  inChannel = false,
  stacked = false,
  own = false,
  q,
}: Props) {
  const { id, channel, title, body, importance, publishedAt, editedAt, readAt } = notification
  const image = imageOf(notification)
  // in a channel's own list, its icon says nothing
  const icon = iconOf(notification) ?? (inChannel ? undefined : iconOf(channel))
  const card = useRef<HTMLElement>(null)
  const titleId = useId()
  const [unfolded, setUnfolded] = useState(focused && !own)
  /** Buttons for the row are rendered once it has been hovered or focused, because a list may hold thousands. */
  const [near, setNear] = useState(false)
  const long = body.length > longBody || body.split('\n').length > 5
  const unread = followed && !readAt
  const brief = stacked && !unfolded
  const found = (text: string) =>
    q ? (
      <Suspense fallback={text}>
        <FoundText q={q}>{text}</FoundText>
      </Suspense>
    ) : undefined
  const markOpened = () => {
    if (unread) actions.open(id)
  }
  const approach = () => setNear(true)
  const open = () => {
    if (!actions.select?.(id)) setUnfolded(true)
    markOpened()
  }
  useEffect(() => {
    if (focused) card.current?.scrollIntoView({ block: 'nearest' })
  }, [focused])
  const items = itemsFor(notification, actions, followed, () => focusNextTo(card.current))
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the title is the keyboard equivalent
    <article
      ref={card}
      className={classes.card}
      data-id={id}
      data-unread={unread || undefined}
      data-focused={focused || own || undefined}
      data-arriving={own || undefined}
      data-brief={brief || undefined}
      data-unfolded={unfolded || undefined}
      onClick={(event) => isFree(event) && open()}
      onPointerEnter={approach}
      onFocus={approach}
    >
      <Text span w={40} pt={2} hidden={inChannel && !icon}>
        {!stacked && <ChannelIcon icon={icon} name={channel.name} size={40} />}
      </Text>
      <div className={classes.content}>
        <p className={classes.meta}>
          {!inChannel && !stacked && (
            <span className={classes.channel} dir="auto">
              <Link {...pageOf(channel)} className={ui.quiet}>
                {channel.name}
              </Link>
            </span>
          )}
          <Marks importance={importance} editedAt={editedAt} />
          {own && <Badge variant="filled">{words.feed.yours}</Badge>}
          {publishedAt && (
            <span className={classes.moment}>
              <Link {...pageOf(channel, id)} className={ui.quiet}>
                <Moment at={publishedAt} />
              </Link>
            </span>
          )}
        </p>
        <h3 className={classes.title}>
          <UnstyledButton id={titleId} dir="auto" className={classes.open} onClick={open}>
            {unread && <VisuallyHidden>{words.feed.unread}:</VisuallyHidden>} {found(title) ?? title}
          </UnstyledButton>
        </h3>
        {body && !brief && (
          <p className={classes.body} dir="auto" data-folded={(long && !unfolded) || undefined}>
            {(!unfolded && found(body)) || (
              <LinkedText onOpen={markOpened}>{long && !unfolded ? body.slice(0, foldedBody) : body}</LinkedText>
            )}
          </p>
        )}
        {!brief && (
          <div className={classes.foot}>
            {long && (
              <UnstyledButton
                className={`${ui.link} ${classes.more}`}
                aria-expanded={unfolded}
                aria-describedby={titleId}
                onClick={() => {
                  setUnfolded(!unfolded)
                  markOpened()
                }}
              >
                {unfolded ? words.feed.less : words.feed.more}
              </UnstyledButton>
            )}
            <OutLink id={id} link={notification.link} onOpen={markOpened} />
          </div>
        )}
      </div>
      {image && !brief && <PictureButton src={image} of={title} className={classes.image} />}
      <div className={classes.tools}>
        {near &&
          followed &&
          items.slice(0, 2).map(({ deed, label, icon, onClick }) => (
            <ActionIcon
              key={deed}
              className={classes.tool}
              aria-label={label}
              aria-describedby={titleId}
              title={label}
              onClick={onClick}
            >
              {icon}
            </ActionIcon>
          ))}
        <Menu label={words.feed.options} describedBy={titleId} items={items} />
      </div>
    </article>
  )
})

/** Reports whether a click was in the card, not on something that has its own meaning, nor the end of selecting text. */
function isFree({ target, currentTarget }: MouseEvent) {
  const pressed = target as Element
  return currentTarget.contains(pressed) && !pressed.closest('a, button') && getSelection()?.isCollapsed !== false
}

/** The menu of a notification. */
function itemsFor(notification: Notification, actions: NotificationActions, followed: boolean, leave: () => void) {
  const { report } = actions
  const items = triageOf(notification, actions, followed, leave)
  if (!report) return items
  const flag = <IconFlag size={20} />
  return [...items, { deed: 'report', label: words.report.action, icon: flag, onClick: () => report(notification) }]
}
