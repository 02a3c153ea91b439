import { Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { AccessToken } from '../../data/access-tokens'
import { settings } from '../../i18n/settings'
import { agoLabel, dateLabel, isPast } from '../../lib/spans'
import { Meta } from '../../ui/Meta'
import ui from '../../ui/ui.module.css'
import { Row } from './Row'
import { revokeTokenMutation } from './mutations'

const texts = settings.tokens

export function TokenRow({ token, onRevoke }: { token: AccessToken; onRevoke: () => void }) {
  const { id, name, hint, scopes, lastUsedAt, expiresAt } = token
  const expiry = expiresAt ? new Date(expiresAt) : undefined
  const expired = expiry && isPast(expiry)
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
        {lastUsedAt ? texts.used(agoLabel(new Date(lastUsedAt))) : texts.unused}
        {!expired && expiry && texts.expires(dateLabel(expiry))}
      </Meta>
      {expired && (
        <Text className={ui.sentence} c="danger" fz="sm" fw={550}>
          {texts.expired(dateLabel(expiry))}
        </Text>
      )}
    </Row>
  )
}
