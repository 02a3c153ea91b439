// The only module that loads Firebase. Import it on demand, and only where Firebase takes pushes.
import { getMessaging, onRegistered, register, unregister } from 'firebase/messaging'
import { type Env, env } from '../../env'
import { firebaseApp } from './firebase-app'
import { subscriptionWith } from './subscription'

const messaging = () => getMessaging(firebaseApp(env() as Required<Env>))

/** Registers this browser, and returns its push address, an installation id. Permission must have been granted. */
export async function pushAddress(serviceWorkerRegistration: ServiceWorkerRegistration): Promise<string> {
  const vapidKey = env().FIREBASE_VAPID_PUBLIC_KEY ?? ''
  // Firebase would use a subscription of another key, and for a week not register a new one.
  if (!(await subscriptionWith(serviceWorkerRegistration, vapidKey))) await forgetRegistration()
  return new Promise((resolve, reject) => {
    onRegistered(messaging(), resolve)
    register(messaging(), { vapidKey, serviceWorkerRegistration }).catch(reject)
  })
}

/** Deletes what Firebase keeps in this browser about its registration. */
function forgetRegistration(): Promise<void> {
  return new Promise((resolve) => {
    const deletion = indexedDB.deleteDatabase('firebase-messaging-database')
    for (const end of ['success', 'error', 'blocked']) deletion.addEventListener(end, () => resolve())
  })
}

export const forgetAddress = () => unregister(messaging())
