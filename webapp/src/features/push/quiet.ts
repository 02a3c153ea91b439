import type { Device } from '@sininho/sdk'
import { dayMs } from '../../lib/dates'

/** Days after which a device that shows nothing is no longer taken for one that is only turned off. */
const quietDays = 7

/** Since when a device has shown none of the notifications that were sent to it, if that is a week or more. */
export function quietSince({ unshownSince }: Device, now = new Date()): Date | undefined {
  const since = unshownSince && new Date(unshownSince)
  return since && now.getTime() - since.getTime() >= quietDays * dayMs ? since : undefined
}
