import { useMutation } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { settings } from '../../i18n/settings'
import { install } from '../../lib/install'
import { isAppleTouch } from '../../lib/push/support'

/** How the app can be installed here. */
type Installing = 'installed' | 'offered' | 'accepted' | 'apple' | 'elsewhere'

export const isInstalled = () =>
  matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true

const events = ['beforeinstallprompt', 'appinstalled']

const subscribe = (changed: () => void) => {
  for (const event of events) addEventListener(event, changed)
  return () => {
    for (const event of events) removeEventListener(event, changed)
  }
}

/** The browser's offer to install the app, if it has made one. */
export const useOffer = () => useSyncExternalStore(subscribe, () => install.offer)

/** Returns how the app can be installed here, and a function that takes the browser's offer. */
export function useInstall() {
  const offer = useOffer()
  const take = useMutation({
    mutationFn: async () => {
      const taken = await install.offer?.prompt()
      install.offer = undefined // the browser makes a new one if it was declined
      return taken?.outcome === 'accepted'
    },
    meta: { errorMessage: settings.install.failed },
  })
  const state = (): Installing => {
    if (isInstalled()) return 'installed'
    if (take.data) return 'accepted'
    if (offer) return 'offered'
    return isAppleTouch() ? 'apple' : 'elsewhere'
  }
  return { state: state(), take }
}
