import { Text } from '@mantine/core'
import type { Device } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { devicesQuery } from '../../data/devices'
import { devices } from '../../i18n/push'

/** Milliseconds after which a test that no device has shown is said to be late. */
const patience = 15_000
const every = 1000

/** Whether a device has shown the test that was sent to it, as it says by itself. `before` is when it last had. */
export function TestShown({ device, before }: { device: Device; before?: string }) {
  const [late, setLate] = useState(false)
  const shown = device.shownAt !== before
  useQuery({ ...devicesQuery(), refetchInterval: !shown && !late && every })
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Text role="status" variant="hint" flex="1 0 100%">
      {shown ? devices.testShown : late ? devices.testUnseen : devices.testAwaited}
    </Text>
  )
}
