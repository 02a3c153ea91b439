import { isNotification, pushData } from './message'
import { pushSupport } from './support'

/** Closes the system notifications with these ids on this device. Each notification's tag is its id. */
export async function closeShown(ids: readonly string[]) {
  const registration = await worker()
  if (!registration) return
  const shown = await Promise.all(ids.map((tag) => registration.getNotifications({ tag })))
  for (const each of shown.flat()) each.close()
}

/**
 * Closes the system notifications of one channel, or of all. Those with another tag stay: tests, and summaries of
 * several notifications.
 */
export async function closeAllShown(channel?: string) {
  for (const shown of (await (await worker())?.getNotifications()) ?? []) {
    const { channel: its } = pushData(shown.data)
    if (isNotification(shown) && (channel === undefined || its === channel)) shown.close()
  }
}

/** The worker's registration, or undefined without permission. */
export const worker = async () =>
  // a page that is left can no longer ask for it
  pushSupport() === 'granted' ? navigator.serviceWorker.getRegistration().catch(() => undefined) : undefined
