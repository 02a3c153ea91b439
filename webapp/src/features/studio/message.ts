import type { Notification, NotificationInput, NotificationPatch } from '@sininho/sdk'
import { fieldOf, momentIn } from '../../lib/date-field'
import { textOf, titleAndBody } from './text'

/** What a person writes. Dates are as a field for them has them, without a time zone; '' for none. */
export type Message = {
  text: string
  link: string
  image: string
  important: boolean
  expiresAt: string
  scheduledAt: string
}

/** The options of a message that are shown when they are asked for. */
export const options = ['link', 'image', 'expiresAt', 'scheduledAt'] as const
export type Option = (typeof options)[number]

export const emptyMessage: Message = {
  text: '',
  link: '',
  image: '',
  important: false,
  expiresAt: '',
  scheduledAt: '',
}

/** "www.escola.pt" is meant as a page. */
export const addressOf = (typed: string) =>
  typed === '' || /^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`

const timestampIn = (field: string) => momentIn(field)?.toISOString()
const fieldIn = (timestamp?: string) => (timestamp ? fieldOf(new Date(timestamp)) : '')

/** The body that is sent to publish, without what was left empty. */
export function inputOf(message: Message): NotificationInput {
  const { title, body } = titleAndBody(message.text)
  const [link, image] = [message.link, message.image].map((typed) => addressOf(typed.trim()))
  const [expiresAt, scheduledAt] = [timestampIn(message.expiresAt), timestampIn(message.scheduledAt)]
  return {
    title,
    ...(body && { body }),
    ...(link && { link }),
    ...(image && { image }),
    ...(message.important && { importance: 'important' as const }),
    ...(expiresAt && { expiresAt }),
    ...(scheduledAt && { scheduledAt }),
  }
}

/** What removes something from a notification. */
const removed = { body: '', link: null, image: null, importance: 'normal', expiresAt: null } as const

/** The body that is sent to correct a notification: its title, and what has changed. */
export function patchOf(message: Message, of: Notification): NotificationPatch {
  const [before, now] = [inputOf(messageOf(of)), inputOf(message)]
  const names = (Object.keys({ ...before, ...now }) as (keyof typeof now)[]).filter(
    (name) => before[name] !== now[name],
  )
  return { title: now.title, ...Object.fromEntries(names.map((name) => [name, now[name] ?? removed[name as 'link']])) }
}

type Written = Pick<Notification, 'title' | 'body' | 'link' | 'image' | 'importance'> &
  Partial<Pick<Notification, 'expiresAt' | 'publishedAt' | 'scheduledAt'>>

/** What a person would have written for a notification. */
export const messageOf = (of: Written): Message => ({
  text: textOf(of),
  link: of.link ?? '',
  image: of.image ?? '',
  important: of.importance === 'important',
  expiresAt: fieldIn(of.expiresAt),
  scheduledAt: fieldIn(of.publishedAt ? undefined : of.scheduledAt),
})
