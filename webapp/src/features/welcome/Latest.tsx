import { ActionIcon, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { welcome } from '../../i18n/welcome'
import { NotificationRow, NotificationRowSkeleton } from '../../ui/NotificationRow'
import ui from '../../ui/ui.module.css'
import classes from './welcome.module.css'
import { shown, useLatest } from './useLatest'

/** The latest public notifications, as they are published. Renders nothing when there are none. */
export function Latest() {
  const [paused, setPaused] = useState(false)
  const { live, isPending, notifications } = useLatest(paused)
  if (!isPending && notifications.length === 0) return null
  const { title, text, pause, resume } = welcome.latest
  return (
    <section className={classes.latest} aria-labelledby="latest" aria-busy={isPending}>
      <Stack gap={12} className={classes.head}>
        <Title id="latest" order={2} flex="1 1 10rem" fz={{ base: 22, sm: 24 }} fw={700} textWrap="balance">
          {title}
        </Title>
        <Text maw="44ch" c="dimmed" className={classes.text}>
          {text}
        </Text>
        <Group c="dimmed" fz="sm" fw={550} className={classes.state} data-live={(live && !paused) || undefined}>
          <span>{stateOf(live, paused)}</span>
          <ActionIcon aria-label={paused ? resume : pause} onClick={() => setPaused(!paused)}>
            {paused ? <IconPlayerPlay size={18} /> : <IconPlayerPause size={18} />}
          </ActionIcon>
        </Group>
      </Stack>
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
    <Paper
      withBorder
      shadow="md"
      radius={16}
      style={{ overflow: 'hidden' }}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <ul className={ui.rows}>
        {(held ?? notifications).map((notification) => (
          <li key={notification.id} className={classes.item} data-arrived={!first.has(notification.id) || undefined}>
            <NotificationRow notification={notification} />
          </li>
        ))}
      </ul>
    </Paper>
  )
}

const Rows = () => (
  <Paper withBorder shadow="md" radius={16} className={ui.rows} style={{ overflow: 'hidden' }} aria-hidden>
    {Array.from({ length: shown }, (_, row) => (
      <NotificationRowSkeleton key={row} />
    ))}
  </Paper>
)
