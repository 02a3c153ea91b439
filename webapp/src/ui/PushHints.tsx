import { Text } from '@mantine/core'
import { push } from '../i18n/push'
import { PushError } from '../lib/push/registration'
import ui from './ui.module.css'

type Props = {
  /** Whether this device rings, or why it cannot. */
  state: 'on' | 'off' | 'denied' | 'install' | 'unsupported'
  /** Why an attempt to have it ring failed. */
  error: Error | null
}

/** Says why this device cannot ring, and why an attempt to have it ring failed. */
export function PushHints({ state, error }: Props) {
  const hint = state === 'on' || state === 'off' ? undefined : push[state]
  const failure = error instanceof PushError && error.message !== hint ? error.message : undefined
  return [hint, failure].map(
    (text) =>
      text && (
        <Text key={text} role="status" className={ui.note}>
          {text}
        </Text>
      ),
  )
}
