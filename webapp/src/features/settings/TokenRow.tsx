import { IconKey } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccessToken } from '../../data/access-tokens'
import { settings } from '../../i18n/settings'
import { agoLabel, dateLabel, isPast } from '../../lib/dates'
import { Button } from '../../ui/Button'
import { Confirm } from '../../ui/Confirm'
import { Meta } from '../../ui/Meta'
import { revokeTokenMutation } from './mutations'
import classes from './AccessTokens.module.css'

type Props = { token: AccessToken; onRevoke: () => void }

export function TokenRow({ token, onRevoke }: Props) {
  const { id, name, hint, scopes, lastUsedAt, expiresAt } = token
  const expiry = expiresAt ? new Date(expiresAt) : undefined
  const expired = expiry && isPast(expiry)
  const revoke = useMutation(revokeTokenMutation(useQueryClient()))
  const [asking, setAsking] = useState(false)
  return (
    <li className={classes.row}>
      <IconKey aria-hidden className={`${classes.icon} ${classes.key}`} />
      <div className={classes.words}>
        <p className={classes.name}>{name}</p>
        <Meta>
          {<code key="hint">{settings.tokens.hint(hint)}</code>}
          {settings.tokens.scopes(scopes ?? [])}
          {lastUsedAt ? settings.tokens.used(agoLabel(new Date(lastUsedAt))) : settings.tokens.unused}
          {!expired && expiry && settings.tokens.expires(dateLabel(expiry))}
        </Meta>
        {expired && <p className={classes.expired}>{settings.tokens.expired(dateLabel(expiry))}</p>}
      </div>
      <Button
        variant="subtle"
        danger
        className={classes.revoke}
        aria-label={settings.tokens.revokeName(name)}
        onClick={() => setAsking(true)}
      >
        {settings.tokens.revoke}
      </Button>
      {asking && (
        <Confirm
          question={settings.tokens.revokeQuestion(name)}
          text={settings.tokens.revokeText}
          action={settings.tokens.revoke}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            onRevoke()
            revoke.mutate(id)
          }}
        />
      )}
    </li>
  )
}
