import type { Channel } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { latestQuery } from '../../data/notifications'
import { onboarding } from '../../i18n/onboarding'
import classes from './LatestTitles.module.css'

const shown = 2

/** Titles of a channel's latest notifications. Renders nothing until they are loaded. */
export function LatestTitles({ channel }: { channel: Channel }) {
  const { data = [] } = useQuery({ ...latestQuery(channel), enabled: channel.notificationCount > 0 })
  if (data.length === 0) return null
  return (
    <div className={classes.latest}>
      <span className={classes.label}>{onboarding.channels.latest}</span>
      {data.slice(0, shown).map(({ id, title }) => (
        <p key={id} className={classes.title}>
          {title}
        </p>
      ))}
    </div>
  )
}
