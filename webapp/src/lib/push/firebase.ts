// The only module that loads Firebase. Import it on demand, and only where Firebase takes pushes.
import { deleteToken, getMessaging, getToken } from 'firebase/messaging'
import { type Env, env } from '../../env'
import { firebaseApp } from './firebase-app'
import { subscriptionWith } from './subscription'

const messaging = () => getMessaging(firebaseApp(env() as Required<Env>))

/** Returns this browser's push address. Permission must have been granted. */
export async function pushAddress(serviceWorkerRegistration: ServiceWorkerRegistration): Promise<string> {
  const vapidKey = env().FIREBASE_VAPID_PUBLIC_KEY ?? ''
  await subscriptionWith(serviceWorkerRegistration, vapidKey) // Firebase would use one of another key
  return getToken(messaging(), { vapidKey, serviceWorkerRegistration })
}

export const forgetAddress = () => deleteToken(messaging())
