/** This device's, by its name in the IANA database. */
export const deviceTimezone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** All that this browser knows, and those given. */
export const timezones = (...own: string[]) => [...new Set([...own, ...Intl.supportedValuesOf('timeZone')])].toSorted()

export const timezoneLabel = (timezone: string) => timezone.replaceAll('_', ' ')

/** "14:30", or nothing of a zone that this browser does not know. */
export function timeThere(timezone: string, now = new Date()): string | undefined {
  try {
    return new Intl.DateTimeFormat('pt', { hour: '2-digit', minute: '2-digit', timeZone: timezone }).format(now)
  } catch {
    return undefined
  }
}
