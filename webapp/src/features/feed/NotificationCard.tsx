import { VisuallyHidden } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { Notification } from '@sininho/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { pt } from '../../i18n/pt'
import { fullLabel, timeLabel } from '../../lib/dates'
import { safeLink } from '../../lib/paths'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { openMutation } from './mutations'
import classes from './NotificationCard.module.css'

type Props = {
  notification: Notification
  /** Whether it can be read or unread for who is looking. */
  followed: boolean
  focused?: boolean
  /** Among others of the same channel, whose name would only repeat. */
  inChannel?: boolean
}

/** Text beyond this is folded away until asked for. */
const longBody = 280

export function NotificationCard({ notification, followed, focused = false, inChannel = false }: Props) {
  const { id, channel, title, body, image, icon, importance, editedAt, readAt } = notification
  const card = useRef<HTMLElement>(null)
  const [unfolded, setUnfolded] = useState(focused)
  const open = useMutation(openMutation(useQueryClient()))
  const long = body.length > longBody || body.split('\n').length > 5
  const unread = followed && !readAt
  const markOpened = () => {
    if (unread) open.mutate(id)
  }
  useEffect(() => {
    if (focused) card.current?.scrollIntoView({ block: 'center' })
  }, [focused])
  return (
    <article ref={card} className={classes.card} data-unread={unread || undefined} data-focused={focused || undefined}>
      <ChannelIcon icon={icon ?? channel.icon} name={channel.name} />
      <div className={classes.content}>
        <p className={classes.meta}>
          {!inChannel && (
            <Link
              to="/channels/$publisherSlug/$channelSlug"
              params={{ publisherSlug: channel.publisherSlug, channelSlug: channel.slug }}
              className={classes.channel}
            >
              {channel.name}
            </Link>
          )}
          <Time notification={notification} />
          {importance === 'important' && <span className={classes.important}>{pt.feed.important}</span>}
          {editedAt && <span>{pt.feed.edited}</span>}
        </p>
        <h3 className={classes.title}>
          <button
            type="button"
            className={classes.open}
            aria-expanded={long ? unfolded : undefined}
            onClick={() => {
              if (long) setUnfolded(!unfolded)
              markOpened()
            }}
          >
            {unread && <span className={classes.dot} aria-hidden />}
            {unread && <VisuallyHidden>{pt.feed.unread}:</VisuallyHidden>} {title}
          </button>
        </h3>
        {body && (
          <p className={classes.body} data-folded={(long && !unfolded) || undefined}>
            {body}
          </p>
        )}
        {image && <Picture src={image} />}
        <div className={classes.foot}>
          {long && (
            <span className={classes.more} aria-hidden>
              {unfolded ? pt.feed.less : pt.feed.more}
            </span>
          )}
          <OutLink link={notification.link} onOpen={markOpened} />
        </div>
      </div>
    </article>
  )
}

function Time({ notification: { publishedAt } }: { notification: Notification }) {
  if (!publishedAt) return null
  const date = new Date(publishedAt)
  return (
    <time dateTime={publishedAt} title={fullLabel(date)}>
      {timeLabel(date)}
    </time>
  )
}

function Picture({ src }: { src: string }) {
  const [broken, setBroken] = useState(false)
  if (broken) return null
  return (
    <img
      className={classes.image}
      src={src}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
    />
  )
}

/** To wherever the publisher says, named by its host so that one knows where it leads. */
function OutLink({ link, onOpen }: { link?: string; onOpen: () => void }) {
  const url = safeLink(link)
  if (!url) return null
  return (
    <a className={classes.link} href={url.href} target="_blank" rel="noopener noreferrer" onClick={onOpen}>
      <IconExternalLink size={18} aria-hidden />
      {pt.feed.open} {url.host.replace(/^www\./, '')}
    </a>
  )
}
