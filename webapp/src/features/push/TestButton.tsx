import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { devicesQuery } from '../../data/devices'
import { devices } from '../../i18n/push'
import { isHere } from '../../lib/push/registration'
import { pushSupport } from '../../lib/push/support'
import { testDeviceMutation } from './mutations'

/** Sends a test push to this device, once push is turned on. */
export function TestButton() {
  const { data } = useQuery(devicesQuery())
  const test = useMutation(testDeviceMutation())
  const device = data?.find(isHere)
  if (!device || pushSupport() !== 'granted') return null
  return (
    <Button loading={test.isPending} onClick={() => test.mutate(device)}>
      {devices.test}
    </Button>
  )
}
