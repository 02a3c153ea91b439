// Pages that share a route, by what follows its fixed part in the address. Without words or components, because
// scripts/routes.mjs puts them into the server's table of routes too.

/** The sections of the settings, at /settings/<name>. */
export const settingsPages = [
  'profile',
  'notifications',
  'devices',
  'app',
  'security',
  'publishing',
  'tokens',
  'data',
] as const

/** The operators' screens, at /admin/<name>. */
export const adminPages = [
  '',
  'reports',
  'requests',
  'moderation',
  'audit',
  'categories',
  'waitlist',
  'endpoints',
  'settings',
] as const

/** The screens in which somebody publishes in a channel, at /studio/<publisher>/<channel>/<name>. */
export const studioPages = ['', 'write', 'edit', 'poster', 'webhooks', 'members', 'numbers', 'month'] as const

/** Reports whether the app has a page at the address whose parameters are given. */
export function isKnownPage({
  section,
  channelSlug,
  _splat,
}: {
  section?: string
  channelSlug?: string
  _splat?: string
}) {
  return isIn(settingsPages, section) && isIn(channelSlug === undefined ? adminPages : studioPages, _splat)
}

const isIn = (pages: readonly string[], name: string | undefined) => name === undefined || pages.includes(name)
