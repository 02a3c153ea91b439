// The only module that loads Firebase. Import it on demand, and only where Firebase takes pushes.
import { getApps, initializeApp } from 'firebase/app'
import { deleteToken, getMessaging, getToken } from 'firebase/messaging'
import { type Env, env } from '../../env'
import { subscriptionWith } from './subscription'

function messaging() {
  const settings = env() as Required<Env>
  const app =
    getApps()[0] ??
    initializeApp({
      apiKey: settings.FIREBASE_API_KEY,
      authDomain: settings.FIREBASE_AUTH_DOMAIN,
      projectId: settings.FIREBASE_PROJECT_ID,
      messagingSenderId: settings.FIREBASE_MESSAGING_SENDER_ID,
      appId: settings.FIREBASE_APP_ID,
      storageBucket: settings.FIREBASE_STORAGE_BUCKET,
    })
  return getMessaging(app)
}

/** Returns this browser's push address. Permission must have been granted. */
export async function pushAddress(serviceWorkerRegistration: ServiceWorkerRegistration): Promise<string> {
  const vapidKey = env().FIREBASE_VAPID_PUBLIC_KEY ?? ''
  await subscriptionWith(serviceWorkerRegistration, vapidKey) // Firebase would use one of another key
  return getToken(messaging(), { vapidKey, serviceWorkerRegistration })
}

export const forgetAddress = () => deleteToken(messaging())
