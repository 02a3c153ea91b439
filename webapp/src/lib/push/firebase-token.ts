// Gets a token of Firebase for a subscription in the service worker. Firebase's own module for workers would also show
// every push, and its module for pages does not run in workers.
import { getInstallations, getToken } from 'firebase/installations'
import { type FirebaseSettings, firebaseApp } from './firebase-app'

/** Returns a new token for a subscription, and keeps it for the page, which otherwise replaces it when it is opened. */
export async function tokenOf(subscription: PushSubscription, settings: FirebaseSettings, swScope: string) {
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  const vapidKey = settings.FIREBASE_VAPID_PUBLIC_KEY
  const url = `https://fcmregistrations.googleapis.com/v1/projects/${settings.FIREBASE_PROJECT_ID}/registrations`
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'x-goog-api-key': settings.FIREBASE_API_KEY,
      'x-goog-firebase-installations-auth': `FIS ${await getToken(getInstallations(firebaseApp(settings)))}`,
    },
    body: JSON.stringify({
      web: { origin: new URL(swScope).host, endpoint, p256dh, auth, applicationPubKey: vapidKey },
    }),
  })
  const { token } = (await response.json()) as { token?: string }
  if (!token) throw new Error(`Firebase gave no token: ${response.status}`)
  const subscriptionOptions = { vapidKey, swScope, endpoint, auth, p256dh }
  await keep({ token, createTime: Date.now(), subscriptionOptions }, settings.FIREBASE_APP_ID).catch(() => undefined)
  return token
}

const store = 'firebase-messaging-store'

/** Stores the details of a token where Firebase's module for pages looks for them. It fails where that never was. */
function keep(details: object, appId: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('firebase-messaging-database')
    opening.addEventListener('upgradeneeded', () => opening.transaction?.abort()) // it did not exist
    opening.addEventListener('error', () => reject(new Error('no database')))
    opening.addEventListener('success', () => {
      const db = opening.result
      if (!db.objectStoreNames.contains(store)) return reject(new Error('no store'))
      const change = db.transaction(store, 'readwrite')
      change.objectStore(store).put(details, appId)
      change.addEventListener('complete', () => {
        db.close()
        resolve()
      })
      change.addEventListener('abort', () => reject(new Error('not stored')))
      return undefined
    })
  })
}
