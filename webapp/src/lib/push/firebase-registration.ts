// Registers a subscription at Firebase in the service worker. Firebase's own module for workers would also show every
// push, and its module for pages does not run in workers.
import { deleteInstallations, getInstallations, getToken } from 'firebase/installations'
import { type FirebaseSettings, firebaseApp } from './firebase-app'

/** The version of `@firebase/messaging` that sends this request. */
const sdkVersion = '0.13.3'

/**
 * Registers a subscription for a new installation, and returns the id of that. With the id of before, a push to the
 * former subscription that fails late would retire this one.
 */
export async function registered(subscription: PushSubscription, settings: FirebaseSettings, swScope: string) {
  const installations = getInstallations(firebaseApp(settings))
  await deleteInstallations(installations)
  const { endpoint, keys } = subscription.toJSON()
  const applicationPubKey = settings.FIREBASE_VAPID_PUBLIC_KEY
  const url = `https://fcmregistrations.googleapis.com/v1/projects/${settings.FIREBASE_PROJECT_ID}/registrations`
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'x-goog-api-key': settings.FIREBASE_API_KEY,
      'x-goog-firebase-installations-auth': `FIS ${await getToken(installations)}`,
    },
    body: JSON.stringify({
      web: { origin: new URL(swScope).host, endpoint, ...keys, applicationPubKey },
      fcm_sdk_version: sdkVersion,
    }),
  })
  const { name } = (await response.json()) as { name?: string }
  const id = name?.split('/registrations/')[1]
  if (!id) throw new Error(`Firebase registered nothing: ${response.status}`)
  return id
}
