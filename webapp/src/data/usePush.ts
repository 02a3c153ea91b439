import { useQuery } from '@tanstack/react-query'
import { devicesQuery } from './devices'
import { isHere } from '../lib/push/registration'
import { pushSupport } from '../lib/push/support'

/**
 * Whether pushes reach this device: `on`, `off`, or why they cannot be turned on here. With the device, if they do. They
 * are `off` while that is being asked for.
 */
export function usePush() {
  // each attempt to turn pushes on fetches the devices: the permission may have changed too
  const { data, isPending } = useQuery({ ...devicesQuery(), notifyOnChangeProps: 'all' })
  const support = pushSupport()
  if (support !== 'granted') return { state: support === 'undecided' ? ('off' as const) : support, isPending: false }
  const device = data?.find(isHere)
  return device ? { state: 'on' as const, device, isPending } : { state: 'off' as const, isPending }
}
