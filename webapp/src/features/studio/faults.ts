import { studio } from '../../i18n/studio'
import { momentIn } from '../../lib/date-field'
import { safeLink } from '../../lib/paths'
import { type Message, addressOf } from './message'

const words = studio.composer

/** What is wrong with a message, by field. */
export type Faults = Partial<Record<keyof Message, string>>

/** What can be known to be wrong before a message is sent. */
export function faultsIn(message: Message, now = new Date()): Faults {
  const { text, link, image, expiresAt, scheduledAt } = message
  return {
    ...(text.trim() === '' && { text: words.missing }),
    ...fault('link', isLink(link) ? undefined : words.badLink),
    ...fault('image', isLink(image) ? undefined : words.badLink),
    ...fault('expiresAt', dateFault(expiresAt, now)),
    ...fault('scheduledAt', dateFault(scheduledAt, now)),
  }
}

const fault = (name: keyof Message, text: string | undefined): Faults => (text ? { [name]: text } : {})

const isLink = (typed: string) => typed.trim() === '' || safeLink(addressOf(typed.trim())) !== undefined

function dateFault(field: string, now: Date): string | undefined {
  if (field === '') return undefined
  const moment = momentIn(field)
  if (!moment) return words.badDate
  return moment <= now ? words.past : undefined
}
