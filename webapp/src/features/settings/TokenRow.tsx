import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { pt } from '../../i18n/pt'
import { agoLabel, dateLabel, isPast } from '../../lib/dates'
import { Confirm } from '../../ui/Confirm'
import { revokeTokenMutation } from './mutations'
import type { AccessToken } from './queries'
import classes from './AccessTokens.module.css'

type Props = { token: AccessToken; onRevoke: () => void }

export function TokenRow({ token, onRevoke }: Props) {
  const { id, name, hint, lastUsedAt } = token
  const revoke = useMutation(revokeTokenMutation(useQueryClient()))
  const [asking, setAsking] = useState(false)
  return (
    <li className={classes.row}>
      <IconKey aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <p className={classes.name}>{name}</p>
        <p className={classes.meta}>
          {pt.tokens.hint(hint)} · {lastUsedAt ? pt.tokens.used(agoLabel(new Date(lastUsedAt))) : pt.tokens.unused} ·{' '}
          <Expiry token={token} />
        </p>
      </div>
      <Button
        variant="subtle"
        color="red.9"
        mih={44}
        className={classes.revoke}
        aria-label={pt.tokens.revokeName(name)}
        onClick={() => setAsking(true)}
      >
        {pt.tokens.revoke}
      </Button>
      {asking && (
        <Confirm
          question={pt.tokens.revokeQuestion(name)}
          text={pt.tokens.revokeText}
          action={pt.tokens.revoke}
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

function Expiry({ token: { expiresAt } }: { token: AccessToken }) {
  if (!expiresAt) return pt.tokens.unending
  const date = new Date(expiresAt)
  const label = dateLabel(date)
  return isPast(date) ? <strong>{pt.tokens.expired(label)}</strong> : pt.tokens.expires(label)
}
