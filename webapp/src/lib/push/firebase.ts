// The only module that loads Firebase. Import it on demand.
import { getApps, initializeApp } from 'firebase/app'
import { deleteToken, getMessaging, getToken } from 'firebase/messaging'
import { env } from '../../env'

function messaging() {
  const settings = env()
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
export const pushAddress = (serviceWorkerRegistration: ServiceWorkerRegistration) =>
  getToken(messaging(), { vapidKey: env().FIREBASE_VAPID_PUBLIC_KEY, serviceWorkerRegistration })

export const forgetAddress = () => deleteToken(messaging())
