import { Badge, Box, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, memo, useEffect, useId, useRef, useState } from 'react'
import { words } from '../../i18n/words'
import { notificationPageOf, pageOf } from '../../lib/paths'
import { iconOf, imageOf, thumbnailOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { ifLoaded } from '../../ui/onDemand'
import { PictureButton } from '../../ui/PictureButton'
import ui from '../../ui/ui.module.css'
import { cardShows, focusNextTo } from './cards'
import { CardText } from './CardText'
import { Found } from './Found'
import { Marks } from './Marks'
import { Moment } from '../../ui/Moment'
import { OutLink } from './OutLink'
import classes from './feed.module.css'
import type { NotificationActions } from './useNotificationActions'

const CardTools = ifLoaded(() => import('./CardTools'))

/** What is the same for all cards of a list. Stable, so that memoized cards do not render again. */
export type OfList = {
  actions: NotificationActions
  /** The reader follows what is shown, so notifications have a read state and can be archived. */
  followed: boolean
  /** Hides the channel's name, because the whole list is of that channel. */
  inChannel?: boolean
  /** What is shown of each until it is opened, if not all: the titles in the list of a group, or some lines. */
  form?: 'titles' | 'small'
  /** What was searched for. */
  q?: string
}

type Props = {
  notification: Notification
  list: OfList
  /** Stands out and is scrolled to: `open` here or beside the list, or the reader's `own`, just sent from this page. */
  marked?: 'open' | 'own'
}

/** Memoized on its own props, because a list may hold thousands of cards. */
export const NotificationCard = memo(function NotificationCard({ notification, list, marked }: Props) {
  const { id, channel, title, readAt } = notification
  const { actions, followed, inChannel = false, form, q } = list
  const card = useRef<HTMLElement>(null)
  const titleId = useId()
  const [unfolded, setUnfolded] = useState(marked === 'open')
  /** Buttons for the row are rendered once it has been hovered or focused, because a list may hold thousands. */
  const [near, setNear] = useState(false)
  const own = marked === 'own'
  const unread = followed && !readAt
  const folded = unfolded ? undefined : form
  const nested = form === 'titles'
  const Heading = nested ? 'h5' : 'h3'
  const image = folded ? undefined : imageOf(notification)
  const approach = () => setNear(true)
  const markOpened = () => {
    if (unread) actions.open(id)
  }
  const open = () => {
    if (actions.select) actions.select(id)
    else setUnfolded(true)
    markOpened()
  }
  const unfold = (next: boolean) => {
    setUnfolded(next)
    markOpened()
  }
  useEffect(() => cardShows(card.current!, notification), [notification])
  useEffect(() => {
    if (marked) card.current?.scrollIntoView({ block: 'nearest' })
  }, [marked])
  return (
    <Box
      component="article"
      ref={card}
      className={classes.card}
      data-id={id}
      mod={{ unread, focused: marked !== undefined, arriving: own, folded, unfolded }}
      onClick={(event: MouseEvent) => isFree(event) && open()}
      onPointerEnter={approach}
      onFocus={approach}
    >
      <CardIcon of={notification} inChannel={inChannel} nested={nested} />
      <div className={classes.content}>
        <p className={classes.meta}>
          {!inChannel && (
            <span className={classes.channel} dir="auto">
              <Link {...pageOf(channel)} className={ui.quiet}>
                {channel.name}
              </Link>
            </span>
          )}
          <Marks {...notification} />
          {own && (
            <Badge component="span" variant="filled" flex="0 1 auto" miw={0}>
              {words.feed.yours}
            </Badge>
          )}
          {!unfolded && <OutLink id={id} link={notification.link} inLine onOpen={markOpened} />}
          <CardMoment of={notification} />
        </p>
        <Heading className={classes.title}>
          <UnstyledButton id={titleId} dir="auto" className={classes.open} onClick={open}>
            {unread && <VisuallyHidden>{words.feed.unread}:</VisuallyHidden>} <Found q={q}>{title}</Found>
          </UnstyledButton>
        </Heading>
        {!folded && (
          <CardText
            of={notification}
            titleId={titleId}
            q={q}
            unfolded={unfolded}
            onUnfold={unfold}
            onLink={markOpened}
          />
        )}
      </div>
      {image && (
        <PictureButton
          src={image}
          small={unfolded ? image : thumbnailOf(notification)}
          of={title}
          className={classes.image}
        />
      )}
      <CardTools
        of={notification}
        titleId={titleId}
        actions={actions}
        followed={followed}
        near={near}
        leave={() => focusNextTo(card.current!)}
      />
    </Box>
  )
})

/** In a channel's own list, the channel's icon says nothing. */
function CardIcon({ of, inChannel, nested }: { of: Notification; inChannel: boolean; nested: boolean }) {
  const icon = iconOf(of) ?? (inChannel ? undefined : iconOf(of.channel))
  return (
    <Text span w="40px" pt={2} hidden={nested || (inChannel && !icon)}>
      {!nested && <ChannelIcon icon={icon} name={of.channel.name} size={40} />}
    </Text>
  )
}

/** The time of publication, which leads to the notification's page. */
const CardMoment = ({ of: { id, channel, publishedAt } }: { of: Notification }) =>
  publishedAt && (
    <span className={classes.moment}>
      <Link {...notificationPageOf(channel, id)} className={ui.quiet}>
        <Moment at={publishedAt} />
      </Link>
    </span>
  )

/** Reports whether a click was in the card, not on something that has its own meaning, nor the end of selecting text. */
function isFree({ target, currentTarget }: MouseEvent) {
  const pressed = target as Element
  return currentTarget.contains(pressed) && !pressed.closest('a, button') && getSelection()?.isCollapsed !== false
}
