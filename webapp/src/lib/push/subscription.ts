/** Drops this browser's subscription unless it was made with a key, and returns it if it was. */
export async function subscriptionWith(registration: ServiceWorkerRegistration, key: string) {
  const found = await registration.pushManager.getSubscription()
  if (!found || sameKey(found, key)) return found
  await found.unsubscribe()
  return null
}

/** Subscribes this browser at its own push service. Permission must have been granted. */
export async function subscribe(registration: ServiceWorkerRegistration, key: string): Promise<PushSubscription> {
  const found = await subscriptionWith(registration, key)
  return found ?? registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

/** The subscription as the server takes it. */
export function deviceOf(subscription: PushSubscription) {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  return { kind: 'webpush' as const, endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } }
}

function sameKey({ options }: PushSubscription, key: string): boolean {
  const made = new Uint8Array(options.applicationServerKey ?? [])
  const text = btoa(String.fromCharCode(...made))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  return text === key
}
