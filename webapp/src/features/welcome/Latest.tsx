import { ActionIcon } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { welcome } from '../../i18n/welcome'
import { subscribeClock } from '../../lib/clock'
import { agoLabel, fullLabel } from '../../lib/dates'
import { pageOf } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Skeleton } from '../../ui/Skeleton'
import classes from './Latest.module.css'
import { shown, useLatest } from './useLatest'

/** The latest public notifications, as they are published. Renders nothing when there are none. */
export function Latest() {
  const [paused, setPaused] = useState(false)
  const { live, isPending, notifications } = useLatest(paused)
  if (!isPending && notifications.length === 0) return null
  const { title, text, pause, resume } = welcome.latest
  return (
    <section className={classes.section} aria-labelledby="latest" aria-busy={isPending}>
      <div className={classes.head}>
        <h2 id="latest" className={classes.title}>
          {title}
        </h2>
        <p className={classes.text}>{text}</p>
        <div className={classes.state} data-live={(live && !paused) || undefined}>
          <span>{stateOf(live, paused)}</span>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            aria-label={paused ? resume : pause}
            onClick={() => setPaused(!paused)}
          >
            {paused ? <IconPlayerPlay size={18} /> : <IconPlayerPause size={18} />}
          </ActionIcon>
        </div>
      </div>
      {isPending ? <Rows /> : <List notifications={notifications} />}
    </section>
  )
}

function stateOf(live: boolean, paused: boolean): string {
  if (paused) return welcome.latest.paused
  return live ? welcome.latest.live : welcome.latest.connecting
}

/** The list stays as it is while the reader points at it, so that no link moves away. */
function List({ notifications }: { notifications: Notification[] }) {
  const [first] = useState(() => new Set(notifications.map(({ id }) => id)))
  const [held, setHeld] = useState<Notification[]>()
  const hold = () => setHeld((before) => before ?? notifications)
  const release = () => setHeld(undefined)
  return (
    <div className={classes.list} onPointerEnter={hold} onPointerLeave={release} onFocus={hold} onBlur={release}>
      <ul>
        {(held ?? notifications).map((notification) => (
          <li key={notification.id} className={classes.item} data-arrived={!first.has(notification.id) || undefined}>
            <Row {...notification} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Row({ id, channel, title, publishedAt = '' }: Notification) {
  const date = new Date(publishedAt)
  const ago = useSyncExternalStore(subscribeClock, () => agoLabel(date))
  return (
    <Link {...pageOf(channel, id)} className={classes.row}>
      <ChannelIcon icon={iconOf(channel)} name={channel.name} size={44} />
      <span className={classes.words}>
        <span className={classes.meta}>
          <span className={classes.channel} dir="auto">
            {channel.name}
          </span>
          <time dateTime={publishedAt} title={fullLabel(date)}>
            {ago}
          </time>
        </span>
        <span className={classes.name} dir="auto">
          {title}
        </span>
      </span>
    </Link>
  )
}

const Rows = () => (
  <div className={classes.list} aria-hidden>
    {Array.from({ length: shown }, (_, row) => (
      <div key={row} className={classes.item}>
        <div className={classes.row}>
          <Skeleton width={44} height={44} radius={11} />
          <div className={classes.words}>
            <Skeleton height={12} width="30%" />
            <Skeleton height={14} width={row % 2 ? '54%' : '72%'} />
          </div>
        </div>
      </div>
    ))}
  </div>
)
