import { CloseButton, Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { subscriptionsQuery } from '../../data/subscriptions'
import { useSilence } from '../../data/useSilence'
import { push } from '../../i18n/push'
import SilentDevice from '../../ui/SilentDevice'

const key = 'sininho.silent'

/**
 * Says once to people who follow channels that this device does not ring, where it could. It covers a little instead of
 * moving what is being read.
 */
export default function SilentNotice() {
  const silent = useSilence()
  const { data = [] } = useQuery(subscriptionsQuery())
  const [hidden, setHidden] = useState(() => localStorage.getItem(key) !== null)
  if (hidden || data.length === 0 || !silent.silence || silent.silence === 'unsupported') return null
  const hide = () => {
    localStorage.setItem(key, 'hidden')
    setHidden(true)
  }
  return (
    <Paper
      withBorder
      shadow="md"
      radius={12}
      px={12}
      py={8}
      pos="fixed"
      bottom={{ base: 'calc(80px + env(safe-area-inset-bottom))', sm: 16 }}
      left={16}
      w="min(100% - 32px, 440px)"
      style={{ zIndex: 'var(--mantine-z-index-app)' }}
    >
      <SilentDevice {...silent}>
        <CloseButton aria-label={push.later} onClick={hide} />
      </SilentDevice>
    </Paper>
  )
}
