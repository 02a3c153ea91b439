import { ActionIcon } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { welcome } from '../../i18n/welcome'
import { NotificationRow, NotificationRowSkeleton } from '../../ui/NotificationRow'
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
            <NotificationRow notification={notification} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const Rows = () => (
  <div className={classes.list} aria-hidden>
    {Array.from({ length: shown }, (_, row) => (
      <div key={row} className={classes.item}>
        <NotificationRowSkeleton />
      </div>
    ))}
  </div>
)
