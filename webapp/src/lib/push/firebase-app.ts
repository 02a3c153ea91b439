import { type FirebaseApp, getApps, initializeApp } from 'firebase/app'

/** The settings of Firebase, in a page and in the service worker. */
export type FirebaseSettings = Record<
  | 'FIREBASE_API_KEY'
  | 'FIREBASE_AUTH_DOMAIN'
  | 'FIREBASE_PROJECT_ID'
  | 'FIREBASE_MESSAGING_SENDER_ID'
  | 'FIREBASE_APP_ID'
  | 'FIREBASE_STORAGE_BUCKET'
  | 'FIREBASE_VAPID_PUBLIC_KEY',
  string
>

export const firebaseApp = (settings: FirebaseSettings): FirebaseApp =>
  getApps()[0] ??
  initializeApp({
    apiKey: settings.FIREBASE_API_KEY,
    authDomain: settings.FIREBASE_AUTH_DOMAIN,
    projectId: settings.FIREBASE_PROJECT_ID,
    messagingSenderId: settings.FIREBASE_MESSAGING_SENDER_ID,
    appId: settings.FIREBASE_APP_ID,
    storageBucket: settings.FIREBASE_STORAGE_BUCKET,
  })
