import { cities } from '../i18n/cities'
import { language } from '../i18n/language'

/** This device's timezone, by its IANA name. */
export const deviceTimezone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** All timezones that this browser knows, and the given ones, in the order of their labels. */
export function timezones(...own: string[]): { value: string; label: string }[] {
  const { compare } = new Intl.Collator(language)
  return [...new Set([...own, ...Intl.supportedValuesOf('timeZone')])]
    .map((value) => ({ value, label: timezoneLabel(value) }))
    .toSorted((a, b) => compare(a.label, b.label))
}

/** The city of a timezone, and by how much it is now ahead of UTC. */
export function timezoneLabel(timezone: string, now = new Date()): string {
  const city = timezone.slice(timezone.lastIndexOf('/') + 1).replaceAll('_', ' ')
  const name = cities[city] ?? city
  const offset = offsetOf(timezone, now)
  return offset ? `${name} (${offset})` : name
}

function offsetOf(timezone: string, now: Date): string | undefined {
  const format = inTimezone(timezone, { timeZoneName: 'shortOffset' }, 'en')
  const offset = format?.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value
  return offset === 'GMT' ? 'UTC+0' : offset?.replace('GMT', 'UTC')
}

/** The current time there, or undefined if this browser does not know the timezone. */
export const timeThere = (timezone: string, now = new Date()): string | undefined =>
  inTimezone(timezone, { timeStyle: 'short' })?.format(now)

function inTimezone(timeZone: string, options: Intl.DateTimeFormatOptions, locale: string = language) {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone })
  } catch {
    return undefined
  }
}
