/** The event by which Chromium offers to install the app. */
export type InstallOffer = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

/** The browser's offer to install the app, which can be taken once. */
export const install: { offer?: InstallOffer } = {}

// it comes at start, before the screen with the button is loaded
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault() // no banner by the browser itself
  install.offer = event as InstallOffer
})
