import type { DraftContent, Notification, NotificationInput, NotificationPatch } from '@sininho/sdk'
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
  /** What a program has added to it, and is not shown. */
  more?: Pick<DraftContent, 'icon' | 'data' | 'externalId'>
}

/** The options of a message that are shown when they are asked for. */
export const options = ['image', 'link', 'scheduledAt', 'expiresAt'] as const
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
  const [link, image] = [message.link, message.image].map((typed) => addressOf(typed.trim()))
  return { title: '', ...contentOf({ ...message, link: link!, image: image! }) } as NotificationInput
}

/** What is saved of a message, as it is typed. It is empty for one in which nothing is written. */
export function contentOf(message: Message): DraftContent {
  const { title, body } = titleAndBody(message.text)
  const { link, image } = message
  const [expiresAt, scheduledAt] = [timestampIn(message.expiresAt), timestampIn(message.scheduledAt)]
  return {
    ...message.more,
    ...(title && { title }),
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
export const messageOf = ({ title, body, link, image, importance, expiresAt, ...of }: Written): Message =>
  messageOfContent({
    title,
    body,
    link,
    image,
    importance,
    expiresAt,
    scheduledAt: of.publishedAt ? undefined : of.scheduledAt,
  })

/** What a person had written when it was saved. */
export function messageOfContent(content: DraftContent): Message {
  const { title = '', body, link = '', image = '', importance, expiresAt, scheduledAt, ...more } = content
  return {
    text: textOf({ title, body }),
    link,
    image,
    important: importance === 'important',
    expiresAt: fieldIn(expiresAt),
    scheduledAt: fieldIn(scheduledAt),
    ...(Object.keys(more).length > 0 && { more }),
  }
}

const field = /\{\{[ \t]*([^{}\s](?:[^{}\r\n]{0,58}[^{}\s])?)[ \t]*\}\}/gu

/** The content of a template with values in the place of its fields. */
export function filled(content: DraftContent, values: Readonly<Record<string, string>>): DraftContent {
  const fill = (text?: string) => text?.replace(field, (found, name: string) => values[name] ?? found)
  const { title, body, link, image } = content
  return { ...content, title: fill(title), body: fill(body), link: fill(link), image: fill(image) }
}

/** Reports whether a content has fields to fill in. */
export const hasFields = ({ title, body, link, image }: DraftContent) =>
  [title, body, link, image].some((text) => text && text.search(field) >= 0)
