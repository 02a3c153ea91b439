import type { Session } from '@sininho/sdk'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../i18n/settings'
import { agoLabel, dateLabel } from '../../lib/dates'
import { Button } from '../../ui/Button'
import { Confirm } from '../../ui/Confirm'
import { Meta } from '../../ui/Meta'
import { endSessionMutation } from './mutations'
import classes from './AccessTokens.module.css'

type Props = { session: Session; onEnd: () => void }

export function SessionRow({ session, onEnd }: Props) {
  const { id, browser, system, network, current, createdAt, lastSeenAt } = session
  const end = useMutation(endSessionMutation(useQueryClient()))
  const [asking, setAsking] = useState(false)
  const name = settings.sessions.name(browser, system)
  const Icon = system === 'Android' || system === 'iOS' ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={classes.row}>
      <Icon aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <p className={classes.name}>
          {name}
          {current && ' '}
          {current && <span className={classes.here}>{settings.sessions.current}</span>}
        </p>
        <Meta sentence>
          {!current && settings.sessions.used(agoLabel(new Date(lastSeenAt)))}
          {settings.sessions.since(dateLabel(new Date(createdAt)))}
          {network && settings.sessions.network(network)}
        </Meta>
      </div>
      {!current && (
        <Button
          variant="subtle"
          danger
          className={classes.revoke}
          aria-label={settings.sessions.endName(name)}
          onClick={() => setAsking(true)}
        >
          {settings.sessions.end}
        </Button>
      )}
      {asking && (
        <Confirm
          question={settings.sessions.endQuestion(name)}
          text={settings.sessions.endText}
          action={settings.sessions.end}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            onEnd()
            end.mutate(id)
          }}
        />
      )}
    </li>
  )
}
