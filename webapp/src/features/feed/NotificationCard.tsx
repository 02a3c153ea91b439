import { VisuallyHidden } from '@mantine/core'
import { IconArchive, IconExternalLink, IconFlag, IconMail, IconMailOpened } from '@tabler/icons-react'
import type { Notification } from '@sininho/sdk'
import { Link } from '@tanstack/react-router'
import { memo, useEffect, useId, useRef, useState } from 'react'
import { pt } from '../../i18n/pt'
import { focusNextTo } from '../../lib/focus'
import { linkTarget, safeLink } from '../../lib/paths'
import { iconOf, imageOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Menu } from '../../ui/Menu'
import { Picture } from '../../ui/Picture'
import { Moment } from './Moment'
import classes from './NotificationCard.module.css'
import type { NotificationActions } from './useNotificationActions'

type Props = {
  notification: Notification
  /** The reader's actions. Absent when the reader does not follow the channel, so that there is no read state. */
  actions?: NotificationActions
  /** Reports the notification to the operators. Absent for visitors. Stable, like `actions`. */
  onReport?: (notification: Notification) => void
  focused?: boolean
  /** Hides the channel's name, because the whole list is of that channel. */
  inChannel?: boolean
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
  onReport,
  focused = false,
  inChannel = false,
  own = false,
}: Props) {
  const { id, channel, title, body, importance, publishedAt, editedAt, readAt } = notification
  const image = imageOf(notification)
  const card = useRef<HTMLElement>(null)
  const titleId = useId()
  const [unfolded, setUnfolded] = useState(focused && !own)
  const long = body.length > longBody || body.split('\n').length > 5
  const unread = Boolean(actions) && !readAt
  const markOpened = () => {
    if (unread) actions?.open(id)
  }
  useEffect(() => {
    if (focused) card.current?.scrollIntoView({ block: 'center' })
  }, [focused])
  return (
    <article
      ref={card}
      className={classes.card}
      data-unread={unread || undefined}
      data-focused={focused || own || undefined}
      data-arriving={own || undefined}
    >
      <ChannelIcon icon={iconOf(notification) ?? iconOf(channel)} name={channel.name} />
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
          {publishedAt && <Moment at={publishedAt} />}
          {importance === 'important' && <span className={classes.important}>{pt.feed.important}</span>}
          {editedAt && <span>{pt.feed.edited}</span>}
          {own && <span className={classes.own}>{pt.demo.yours}</span>}
        </p>
        <h3 className={classes.title}>
          <button
            type="button"
            id={titleId}
            className={classes.open}
            onClick={() => {
              setUnfolded(true)
              markOpened()
            }}
          >
            {unread && <span className={classes.dot} aria-hidden />}
            {unread && <VisuallyHidden>{pt.feed.unread}:</VisuallyHidden>} {title}
          </button>
        </h3>
        {body && (
          <p className={classes.body} data-folded={(long && !unfolded) || undefined}>
            {long && !unfolded ? body.slice(0, foldedBody) : body}
          </p>
        )}
        {image && <Picture src={image} className={classes.image} />}
        <div className={classes.foot}>
          {long && (
            <button
              type="button"
              className={classes.more}
              aria-expanded={unfolded}
              aria-describedby={titleId}
              onClick={() => {
                setUnfolded(!unfolded)
                markOpened()
              }}
            >
              {unfolded ? pt.feed.less : pt.feed.more}
            </button>
          )}
          <OutLink id={id} link={notification.link} onOpen={markOpened} />
        </div>
      </div>
      {(actions || onReport) && (
        <div className={classes.menu}>
          <Menu
            label={pt.feed.options}
            describedBy={titleId}
            items={[
              ...(actions
                ? [
                    {
                      label: unread ? pt.feed.read : pt.feed.unreadAgain,
                      icon: unread ? <IconMailOpened size={20} /> : <IconMail size={20} />,
                      onClick: () => actions.setRead(id, unread),
                    },
                    {
                      label: pt.feed.archive,
                      icon: <IconArchive size={20} />,
                      onClick: () => {
                        focusNextTo(card.current)
                        actions.archive(id)
                      },
                    },
                  ]
                : []),
              ...(onReport
                ? [{ label: pt.report.action, icon: <IconFlag size={20} />, onClick: () => onReport(notification) }]
                : []),
            ]}
          />
        </div>
      )}
    </article>
  )
})

/** The publisher's link, labelled with its host so that the target is visible. A refused one leads to the feed. */
function OutLink({ id, link, onOpen }: { id: string; link?: string; onOpen: () => void }) {
  const url = safeLink(link)
  if (!url) return null
  if (linkTarget(url, location.origin) === 'refused') {
    return (
      <Link to="/feed" search={{ notification: id }} className={classes.link} onClick={onOpen}>
        {pt.feed.open}
      </Link>
    )
  }
  return (
    <a className={classes.link} href={url.href} target="_blank" rel="noopener noreferrer" onClick={onOpen}>
      <IconExternalLink size={18} aria-hidden />
      {pt.feed.open} {url.host.replace(/^www\./, '')}
    </a>
  )
}
