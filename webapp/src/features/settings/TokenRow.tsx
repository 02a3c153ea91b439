import { Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { AccessToken } from '../../data/access-tokens'
import { settings } from '../../i18n/settings'
import { agoLabel, dateLabel, isPast } from '../../lib/spans'
import { Meta } from '../../ui/Meta'
import { Moment } from '../../ui/Moment'
import ui from '../../ui/ui.module.css'
import { Row } from '../../ui/Row'
import { revokeTokenMutation } from './mutations'

const texts = settings.tokens

export function TokenRow({ token, onRevoke }: { token: AccessToken; onRevoke: () => void }) {
  const { id, name, hint, scopes, lastUsedAt, expiresAt } = token
  const expired = expiresAt && isPast(new Date(expiresAt))
  const revoke = useMutation(revokeTokenMutation())
  const revoking = {
    label: texts.revoke,
    name: texts.revokeName(name),
    question: texts.revokeQuestion(name),
    text: texts.revokeText,
    onConfirm: () => {
      onRevoke()
      revoke.mutate(id)
    },
  }
  return (
    <Row icon={<IconKey />} alike name={name} end={revoking}>
      <Meta>
        {<code key="hint">{texts.hint(hint)}</code>}
        {texts.scopes(scopes ?? [])}
        {lastUsedAt ? <Moment at={lastUsedAt} label={(date) => texts.used(agoLabel(date))} /> : texts.unused}
        {!expired && expiresAt && <Moment at={expiresAt} label={(date) => texts.expires(dateLabel(date))} />}
      </Meta>
      {expired && (
        <Text className={ui.sentence} c="danger" fz="sm" fw={550}>
          <Moment at={expiresAt} label={(date) => texts.expired(dateLabel(date))} />
        </Text>
      )}
    </Row>
  )
}
