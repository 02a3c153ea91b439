import { Text } from '@mantine/core'
import type { Identity } from '@sininho/sdk'
import { IconBuilding, IconAt } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { settings } from '../../i18n/settings'
import { agoLabel, dateLabel } from '../../lib/spans'
import { GoogleMark } from '../../ui/GoogleMark'
import { Meta } from '../../ui/Meta'
import { Moment } from '../../ui/Moment'
import { Row } from '../../ui/Row'
import { removeIdentityMutation } from './mutations'

type Props = { identity: Identity; removable: boolean; onRemove: () => void }

const texts = settings.identities

export function IdentityRow({ identity, removable, onRemove }: Props) {
  const { id, kind, name, email, createdAt, usedAt } = identity
  const remove = useMutation(removeIdentityMutation())
  const title = kind === 'email' ? email : `${name}: ${email}`
  const removing = {
    label: texts.remove,
    name: texts.removeName(title),
    question: texts.removeQuestion(title),
    text: texts.removeText,
    pending: remove.isPending,
    onConfirm: () => {
      onRemove()
      remove.mutate(id)
    },
  }
  return (
    <Row
      icon={kind === 'google' ? <GoogleMark /> : kind === 'email' ? <IconAt /> : <IconBuilding />}
      name={kind === 'email' ? texts.email : name}
      end={removable ? removing : undefined}
    >
      <Text fz={15}>{email}</Text>
      <Meta sentence>
        {usedAt ? <Moment at={usedAt} label={(date) => texts.used(agoLabel(date))} /> : texts.unused}
        <Moment at={createdAt} label={(date) => texts.since(dateLabel(date))} />
        {!kind && texts.gone}
      </Meta>
    </Row>
  )
}
