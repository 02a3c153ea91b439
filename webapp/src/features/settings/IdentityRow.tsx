import type { Identity } from '@sininho/sdk'
import { IconBuilding, IconAt } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../i18n/settings'
import { agoLabel, dateLabel } from '../../lib/dates'
import { Button } from '../../ui/Button'
import { Confirm } from '../../ui/Confirm'
import { GoogleMark } from '../../ui/GoogleMark'
import { Meta } from '../../ui/Meta'
import { removeIdentityMutation } from './mutations'
import classes from './AccessTokens.module.css'

type Props = { identity: Identity; removable: boolean; onRemove: () => void }

const texts = settings.identities

export function IdentityRow({ identity, removable, onRemove }: Props) {
  const { id, kind, name, email, createdAt, usedAt } = identity
  const remove = useMutation(removeIdentityMutation())
  const [asking, setAsking] = useState(false)
  const title = kind === 'email' ? email : `${name}: ${email}`
  return (
    <li className={classes.row}>
      <span className={classes.icon} aria-hidden>
        {kind === 'google' ? <GoogleMark /> : kind === 'email' ? <IconAt /> : <IconBuilding />}
      </span>
      <div className={classes.words}>
        <p className={classes.name}>{kind === 'email' ? texts.email : name}</p>
        <p className={classes.address}>{email}</p>
        <Meta sentence>
          {usedAt ? texts.used(agoLabel(new Date(usedAt))) : texts.unused}
          {texts.since(dateLabel(new Date(createdAt)))}
          {!kind && texts.gone}
        </Meta>
      </div>
      {removable && (
        <Button
          variant="subtle"
          danger
          className={classes.revoke}
          loading={remove.isPending}
          aria-label={texts.removeName(title)}
          onClick={() => setAsking(true)}
        >
          {texts.remove}
        </Button>
      )}
      {asking && (
        <Confirm
          question={texts.removeQuestion(title)}
          text={texts.removeText}
          action={texts.remove}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            onRemove()
            remove.mutate(id)
          }}
        />
      )}
    </li>
  )
}
