import { language } from '../i18n/language'

/** This device's timezone, by its IANA name. */
export const deviceTimezone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** All timezones that this browser knows, and the given ones. */
export const timezones = (...own: string[]) => [...new Set([...own, ...Intl.supportedValuesOf('timeZone')])].toSorted()

export const timezoneLabel = (timezone: string) => timezone.replaceAll('_', ' ')

/** The current time there, or undefined if this browser does not know the timezone. */
export function timeThere(timezone: string, now = new Date()): string | undefined {
  try {
    return new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: timezone }).format(now)
  } catch {
    return undefined
  }
}
