import { type Device, NetworkError } from '@sininho/sdk'
import { push } from '../../i18n/push'
import { track } from '../analytics'
import { api, call } from '../api'
import { env } from '../../env'
import { deviceName } from './device-name'
import { deviceOf, subscribe } from './subscription'
import { pushSupport } from './support'

/** The reason why this browser cannot be pushed. The message is shown to the person. */
export class PushError extends Error {
  override readonly name = 'PushError'
  readonly reason: 'denied' | 'dismissed' | 'unsupported' | 'install' | 'unreachable'

  constructor(reason: PushError['reason'], cause?: unknown) {
    super(push[reason], { cause })
    this.reason = reason
  }
}

/**
 * Milliseconds. Without a push service, the browser's own attempt never ends. A slow phone needs some 20 seconds, and
 * more when the browser has just been opened.
 */
const subscribingLimit = 30_000
const forgettingLimit = 3_000

const installationKey = 'sininho.installation'
/** What this browser is registered for: `webpush`, or `fcm` for Firebase. */
const registeredKey = 'sininho.push'

/** Returns a random id, created once, by which the server recognizes this browser. */
export function installationId(): string {
  const kept = localStorage.getItem(installationKey)
  if (kept) return kept
  const made = crypto.randomUUID()
  localStorage.setItem(installationKey, made)
  return made
}

/** Whether a device is this browser. */
export const isHere = (device: Pick<Device, 'installationId'>) => device.installationId === installationId()

/**
 * Asks for permission if it is undecided. Some browsers do so only as the immediate answer to a click, so that it comes
 * before everything else that the click does.
 */
export const askPermission = () =>
  pushSupport() === 'undecided' ? Notification.requestPermission() : Promise.resolve('granted' as const)

/** Registers this device once the permission that was asked for is given. */
export async function enablePush(asked = askPermission()) {
  try {
    const permission = await asked
    const support = pushSupport()
    if (support !== 'granted' && support !== 'undecided') throw new PushError(support)
    if (permission !== 'granted') throw new PushError(permission === 'denied' ? 'denied' : 'dismissed')
    const device = await register()
    track('push_enabled', {})
    return device
  } catch (error) {
    track('push_failed', { reason: error instanceof PushError ? error.reason : 'other' })
    throw error
  }
}

/** Registers again at start, because the push address changes now and then. Never prompts and never fails. */
export async function refreshPush() {
  if (pushSupport() !== 'granted' || !localStorage.getItem(registeredKey)) return
  await register().catch(() => undefined)
}

/** Deletes this browser's push address, so that the next person to sign in does not get these pushes. */
export async function forgetPush() {
  await stopRegistering()
  const registered = localStorage.getItem(registeredKey)
  if (!registered) return
  localStorage.removeItem(registeredKey)
  if (registered === 'fcm' && takesPushes('fcm')) {
    const forgotten = import('./firebase').then((firebase) => firebase.forgetAddress())
    await limited(forgotten, forgettingLimit).catch(() => undefined) // if Firebase cannot be reached
  }
  await unsubscribe()
}

async function unsubscribe() {
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  await subscription?.unsubscribe().catch(() => false)
}

const takesPushes = (transport: 'fcm' | 'webpush') => env().PUSH.split(',').includes(transport)

/** Reports whether this browser is pushed to by its own push service. Where both are used, it keeps what it has. */
const byWebPush = () => takesPushes('webpush') && (!takesPushes('fcm') || localStorage.getItem(registeredKey) !== 'fcm')

let wanted = new AbortController()
let registering: Promise<Device> | undefined

/** Cancels registrations that have begun, and waits for one that is already on its way to the server. */
export async function stopRegistering() {
  wanted.abort()
  wanted = new AbortController()
  await registering?.catch(() => undefined)
}

async function register(): Promise<Device> {
  const { signal } = wanted
  const address = await subscribed()
  signal.throwIfAborted()
  registering = tellServer(address)
  return registering
}

type Address = { kind: 'fcm'; address: string } | ReturnType<typeof deviceOf>

async function tellServer(address: Address): Promise<Device> {
  const device = await call(
    api().POST('/subscribers/devices', {
      body: { installationId: installationId(), ...address, platform: 'web', name: deviceName() },
    }),
  )
  localStorage.setItem(registeredKey, address.kind)
  return device
}

/** Subscribes this browser, and returns where it is pushed to. */
async function subscribed(): Promise<Address> {
  try {
    if (byWebPush()) {
      const registration = await serviceWorker()
      const made = subscribe(registration, env().WEB_PUSH_PUBLIC_KEY ?? '')
      return deviceOf(await limited(made, subscribingLimit))
    }
    const [firebase, registration] = await Promise.all([import('./firebase'), serviceWorker()])
    return { kind: 'fcm', address: await limited(firebase.pushAddress(registration), subscribingLimit) }
  } catch (error) {
    if (error instanceof NetworkError) throw error
    if (Notification.permission === 'denied') throw new PushError('denied', error)
    throw new PushError('unreachable', error)
  }
}

/** Returns the service worker once it is active: subscribing fails while it is still being installed. */
async function serviceWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register('/sw.js')
  return navigator.serviceWorker.ready
}

function limited<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('timed out')), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
