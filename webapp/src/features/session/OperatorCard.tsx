import { Text } from '@mantine/core'
import { IconShieldLock, IconShieldX } from '@tabler/icons-react'
import { passkeys } from '../../i18n/passkeys'
import { passkeysWork } from '../../lib/passkey'
import { Card } from '../../ui/Card'
import { LinkButton } from '../../ui/LinkButton'
import { PasskeySignUp } from './PasskeySignUp'

const texts = passkeys.operator

/** Makes an account by an operator link. `secret` is missing if no link was opened. */
export function OperatorCard({ secret }: { secret?: string }) {
  if (!secret)
    return (
      <Card icon={<IconShieldX size={32} />} title={texts.unusable}>
        <Text role="alert" c="dimmed">
          {texts.unusableText}
        </Text>
        <LinkButton fullWidth variant="default" to="/">
          {texts.home}
        </LinkButton>
      </Card>
    )
  return (
    <Card icon={<IconShieldLock size={32} />} title={texts.title}>
      <Text c="dimmed">{texts.text}</Text>
      {passkeysWork() ? (
        <PasskeySignUp redirect="/feed" operatorLink={secret} />
      ) : (
        <Text role="alert">{passkeys.unsupported}</Text>
      )}
    </Card>
  )
}
