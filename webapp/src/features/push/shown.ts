import { pushData } from './message'
import { pushSupport } from './support'

/** Closes what the system shows of these notifications on this device: each carries its id as its tag. */
export async function closeShown(ids: readonly string[]) {
  const registration = await worker()
  if (!registration) return
  const shown = await Promise.all(ids.map((tag) => registration.getNotifications({ tag })))
  for (const each of shown.flat()) each.close()
}

/** Of one channel, by its address, or of all; not what has a tag of its own, as a test or the summary of several. */
export async function closeAllShown(channel?: string) {
  for (const shown of (await (await worker())?.getNotifications()) ?? []) {
    const data = pushData(shown.data)
    if (data.id === shown.tag && (channel === undefined || data.channel === channel)) shown.close()
  }
}

/** Without permission nothing is shown. */
const worker = async () => (pushSupport() === 'granted' ? navigator.serviceWorker.getRegistration() : undefined)
