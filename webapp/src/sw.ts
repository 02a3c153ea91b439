/// <reference lib="webworker" />
// The one service worker: pushes, and what a click on them does. Written by hand, bundled into one classic script.
import { initializeApp } from 'firebase/app'
import { getMessaging, onBackgroundMessage } from 'firebase/messaging/sw'
import { clickTarget, isWebKit, pushData, pushedData, revisionOf, type Revision } from './features/push/message'
import { workerWords } from './i18n/pt'

declare const self: ServiceWorkerGlobalScope & { SININHO_ENV: Record<string, string> }

// synchronous, because push listeners must be there once this script has run
importScripts('/config.js')
const env = self.SININHO_ENV
const icon = '/icon-192.png'
const badge = '/badge-96.png'

self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

// Both before Firebase's own listeners, which are told no more of what these have dealt with:
// its click only focuses a tab, and it shows nothing for what it cannot read, for which Safari withdraws permission.
self.addEventListener('notificationclick', (event) => {
  event.stopImmediatePropagation()
  event.notification.close()
  const data = pushedData(event.notification.data)
  event.waitUntil(Promise.all([open(clickTarget(data, self.location.origin)), record(data.id, 'opened')]))
})

self.addEventListener('push', (event) => {
  const message = read(event.data)
  if (message?.notification?.title) return
  event.stopImmediatePropagation()
  const revision = revisionOf(message?.data)
  if (revision) return event.waitUntil(revise(revision))
  const data = pushData(message?.data)
  const title = typeof message?.data?.title === 'string' ? message.data.title : workerWords.title
  const body = typeof message?.data?.body === 'string' ? message.data.body : workerWords.body
  event.waitUntil(self.registration.showNotification(title, { body, icon, badge, tag: data.id ?? 'sininho', data }))
})

const messaging = getMessaging(
  initializeApp({
    apiKey: env.FIREBASE_API_KEY,
    authDomain: env.FIREBASE_AUTH_DOMAIN,
    projectId: env.FIREBASE_PROJECT_ID,
    messagingSenderId: env.FIREBASE_MESSAGING_SENDER_ID,
    appId: env.FIREBASE_APP_ID,
    storageBucket: env.FIREBASE_STORAGE_BUCKET,
  }),
)
// Firebase has shown it by now, with the tag that the server gave it: the notification's id
onBackgroundMessage(messaging, ({ data }) => record(pushData(data).id, 'displayed'))

type Message = { notification?: { title?: string }; data?: Record<string, unknown> }

function read(data: PushMessageData | null): Message | undefined {
  try {
    return data?.json() as Message
  } catch {
    return undefined
  }
}

/**
 * Brings what the system shows up to date, without a sound. What it shows no more stays away; but WebKit withdraws
 * permission from who shows nothing for a push, so there it is shown for as long as it takes to close it.
 */
async function revise({ revision, id, title = workerWords.title, body = '', icon: own = icon, ...rest }: Revision) {
  const tagged = () => self.registration.getNotifications({ tag: id })
  const show = () =>
    self.registration.showNotification(title, { body, icon: own, badge, tag: id, silent: true, ...rest })
  const shown = await tagged()
  if (shown.some((each) => pushedData(each.data).revisedAt > rest.data.revisedAt)) return
  if (revision === 'corrected' && shown.length > 0) return show()
  if (isWebKit(self.navigator.userAgent)) await show()
  for (const each of await tagged()) each.close()
}

/** In a tab that is already there, else in a new one. */
async function open(url: string) {
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

/** Tells the server; a failure costs a figure in a report, never the notification. */
async function record(id: string | undefined, type: 'displayed' | 'opened') {
  if (!id) return
  await fetch(`${env.API_BASE_URL}/subscribers/notifications/${encodeURIComponent(id)}/events`, {
    method: 'POST',
    credentials: 'include',
    keepalive: true,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type }),
  }).catch(() => undefined)
}
