/** Holds the page and the settings of the app. */
export const shellCache = 'sininho-shell'
/** Begins the names of the caches that hold scripts and styles, one for each release. */
export const assetsPrefix = 'sininho-assets-'

/** What the page is kept as, whichever screen it is loaded for. */
export const pagePath = '/'
export const settingsPath = '/config.js'
export const isAsset = (path: string) => path.startsWith('/assets/')
