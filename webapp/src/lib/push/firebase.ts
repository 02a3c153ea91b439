// The only module that loads Firebase. Import it on demand, and only where Firebase takes pushes.
import { deleteInstallations, getInstallations } from 'firebase/installations'
import { getMessaging, onRegistered, register } from 'firebase/messaging'
import { type Env, env } from '../../env'
import { firebaseApp } from './firebase-app'
import { subscriptionWith } from './subscription'

const app = () => firebaseApp(env() as Required<Env>)

/** Registers this browser, and returns its push address, an installation id. Permission must have been granted. */
export async function pushAddress(serviceWorkerRegistration: ServiceWorkerRegistration): Promise<string> {
  const vapidKey = env().FIREBASE_VAPID_PUBLIC_KEY ?? ''
  const messaging = getMessaging(app())
  // Firebase would use a subscription of another key, and not register a new one for an installation that it knows
  if (!(await subscriptionWith(serviceWorkerRegistration, vapidKey))) await forgetAddress()
  return new Promise((resolve, reject) => {
    onRegistered(messaging, resolve)
    register(messaging, { vapidKey, serviceWorkerRegistration }).catch(reject)
  })
}

/** Ends this browser's address. The next registration gets another one. */
export const forgetAddress = () => deleteInstallations(getInstallations(app()))
