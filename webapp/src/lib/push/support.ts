/** The state of push in this browser. */
export type PushSupport =
  | 'granted'
  | 'undecided'
  | 'denied'
  /** On iPhone and iPad push needs the app on the home screen. */
  | 'install'
  | 'unsupported'

export function pushSupport(): PushSupport {
  const able = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  if (!able) return isAppleTouch() ? 'install' : 'unsupported'
  if (Notification.permission === 'granted') return 'granted'
  return Notification.permission === 'denied' ? 'denied' : 'undecided'
}

export const isAppleTouch = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
