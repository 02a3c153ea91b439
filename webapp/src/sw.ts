/// <reference lib="webworker" />
// The only service worker: shows pushes, handles clicks on them, and opens the app without a connection. Bundled into
// one classic script.
import { actionsOf, carryOut } from './lib/push/action'
import { hasBadge, showBadge } from './lib/push/badge'
import { reportDisplayed } from './lib/push/displayed'
import {
  type Push,
  type PushData,
  type Revision,
  clickTarget,
  feedTarget,
  isWebKit,
  notificationId,
  pushData,
  pushOf,
  revisionOf,
} from './lib/push/message'
import type { FirebaseSettings } from './lib/push/firebase-app'
import { registered } from './lib/push/firebase-registration'
import { closeSeen } from './lib/push/seen'
import { deviceOf, subscribe } from './lib/push/subscription'
import { serve } from './lib/shell/serve'
import { workerWords } from './i18n/words'

declare const self: ServiceWorkerGlobalScope & { SININHO_ENV: Record<string, string> }

// synchronous, because push listeners must be registered before this script ends
importScripts('/config.js')
const { API_BASE_URL, WEB_PUSH_PUBLIC_KEY, FIREBASE_VAPID_PUBLIC_KEY } = self.SININHO_ENV
const icon = '/icon-192.png'
const badge = '/badge-96.png'

self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const response = serve(event.request, self.location.origin)
  if (response) event.respondWith(response)
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const data = pushData(event.notification.data)
  event.waitUntil(event.action ? act(event.action, data) : click(data))
})

self.addEventListener('push', (event) => {
  const message = read(event.data)
  const revision = revisionOf(message)
  event.waitUntil(revision ? revise(revision).then(() => settle()) : receive(pushOf(message, workerWords)))
})

self.addEventListener('pushsubscriptionchange', (event) => (event as ExtendableEvent).waitUntil(renew()))

function read(data: PushMessageData | null): unknown {
  try {
    return data?.json()
  } catch {
    return undefined
  }
}

/** Every push must show something, or Safari withdraws the permission: in a visible tab, otherwise by the system. */
async function receive(push: Push) {
  const handedOver = await handOver(push)
  if (!handedOver) await show(push)
  const { id, quiet } = push.data
  if (quiet) return // the word that nobody uses the app must not count as use of it
  // a test is reported too: the server notes that this device shows what it is sent
  await Promise.all([id && reportDisplayed(id, API_BASE_URL!), handedOver || settle(push.tag)])
}

type Shown = Push & { silent?: boolean }

async function show({ title, icon: own = icon, ...options }: Shown) {
  await self.registration.showNotification(title, { icon: own, badge, ...options, ...actionsOf(options) })
}

/**
 * Updates the badge of the app, and closes what was read or archived on another device. A push that has shown something
 * is the occasion: browsers limit those that show nothing. A visible tab does it by itself.
 */
async function settle(arrived?: string) {
  const shown = await self.registration.getNotifications()
  if (!hasBadge(self.navigator) && !shown.some(({ tag }) => tag !== arrived)) return
  const unread = await closeSeen(self.registration, API_BASE_URL!)
  if (unread !== undefined) await showBadge(unread, self.navigator)
}

async function click(data: PushData) {
  await Promise.all([open(clickTarget(data, self.location.origin)), recordOpened(data).then(() => settle())])
}

/** Carries out a button of a notification. If that fails, the notification is opened, so that nothing is lost. */
async function act(action: string, data: PushData) {
  if (!(await carryOut(action, data, API_BASE_URL!))) return open(feedTarget(data, self.location.origin))
  for (const tab of await self.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    tab.postMessage({ acted: true }, [])
  await settle()
}

/** Milliseconds that a tab has to reply. A tab that is still loading, or is not one of the app's, never does. */
const answerLimit = 1000

/** Reports whether a visible tab has shown the push. All tabs receive it, to refetch their lists. */
async function handOver(push: Push): Promise<boolean> {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (!tabs.some(({ visibilityState }) => visibilityState === 'visible')) return false
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), answerLimit)
    for (const tab of tabs) {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => resolve(true))
      port1.start()
      tab.postMessage({ push }, [port2])
    }
  })
}

/**
 * Updates a shown system notification silently. One that is no longer shown stays closed, except that WebKit withdraws
 * the permission when a push shows nothing: there it is shown and closed at once.
 */
async function revise({ revision, id, title = workerWords.title, body = '', icon: own = icon, ...rest }: Revision) {
  const tagged = () => self.registration.getNotifications({ tag: id })
  const replacement = { title, body, icon: own, tag: id, silent: true, ...rest }
  const shown = await tagged()
  if (shown.some((each) => pushData(each.data).revisedAt > rest.data.revisedAt)) return
  if (revision === 'corrected' && shown.length > 0) return show(replacement)
  if (isWebKit(self.navigator.userAgent)) await show(replacement)
  for (const each of await tagged()) each.close()
}

/** Opens a page of the app in an existing tab, if there is one, and anything else in a new one. */
async function open(url: string) {
  if (new URL(url).origin !== self.location.origin) return void (await self.clients.openWindow(url))
  const clients = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const client = clients.find((each) => each.url === url) ?? clients[0]
  if (!client) return void (await self.clients.openWindow(url))
  try {
    await client.focus()
    if (client.url !== url) await client.navigate(url)
  } catch {
    await self.clients.openWindow(url)
  }
}

type Devices = { data: { current: boolean; kind: string; installationId: string; platform: string; name: string }[] }

/** Subscribes again when the browser has ended the subscription, and registers it, at Firebase too where that pushes. */
async function renew() {
  const devices = `${API_BASE_URL}/subscribers/devices`
  const response = await fetch(devices, { credentials: 'include' })
  if (!response.ok) return
  const device = ((await response.json()) as Devices).data.find(({ current }) => current)
  const key = device?.kind === 'webpush' ? WEB_PUSH_PUBLIC_KEY : FIREBASE_VAPID_PUBLIC_KEY
  if (!device || !key) return
  const { installationId, platform, name, kind } = device
  const subscription = await subscribe(self.registration, key)
  const address = kind === 'webpush' ? deviceOf(subscription) : await atFirebase(subscription)
  await fetch(devices, {
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ installationId, platform, name, ...address }),
  })
}

/** Registers a subscription, or ends it, because the app then subscribes and registers again when it is opened. */
async function atFirebase(subscription: PushSubscription) {
  const settings = self.SININHO_ENV as FirebaseSettings
  try {
    return { kind: 'fcm', address: await registered(subscription, settings, self.registration.scope) }
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  }
}

/** Reports to the server that a notification was opened. A failure only makes the statistics less exact. */
async function recordOpened(data: PushData) {
  const id = notificationId(data)
  if (!id) return
  await fetch(`${API_BASE_URL}/subscribers/notifications/${encodeURIComponent(id)}/events`, {
    method: 'POST',
    credentials: 'include',
    keepalive: true,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'opened' }),
  }).catch(() => undefined)
}
