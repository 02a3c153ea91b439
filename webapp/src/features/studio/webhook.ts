import type { Webhook } from '@sininho/sdk'
import type { WebhookPreviewInput, WebhookSender } from '../../data/webhooks'
import { faultsOf } from '../../lib/faults'

/** The headers in which senders say what kind of event it is, where that is not in what they send. */
const kindHeaders: Record<string, string> = { github: 'x-github-event', sentry: 'sentry-hook-resource' }

/** Whether a sender says apart what kind of event it is. */
export const saysKind = (sender: string) => sender in kindHeaders

/** Whether the secret of a way to sign is made here; the others are the sender's own. */
export const isOurs = (signing: string) => !['stripe', 'sentry'].includes(signing)

/** What makes a notification of a payload as a webhook would now. */
export const previewOf = (
  { sender, template }: Webhook,
  payload: WebhookPreviewInput['payload'],
  headers?: WebhookPreviewInput['headers'],
): WebhookPreviewInput => ({
  sender: sender as WebhookSender,
  payload,
  ...(template && { template }),
  ...(headers && { headers }),
})

/** The headers of an event of a kind. */
export const headersOf = (sender: string, kind: string) =>
  kind.trim() && kindHeaders[sender] ? { [kindHeaders[sender]]: kind.trim() } : undefined

/** The JSON object in a text that somebody has pasted, or undefined if it is none. */
export function payloadIn(text: string): WebhookPreviewInput['payload'] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

export type OwnTemplate = NonNullable<Webhook['template']>

/** A template as it is sent: without what was left empty. */
export const templateOf = (written: OwnTemplate) =>
  Object.fromEntries(Object.entries(written).filter(([, text]) => text.trim() !== '')) as OwnTemplate

/** What the server found wrong in a template, by field, without the fields that have changed since. */
export function templateFaults(error: Error | null, sent: OwnTemplate | null | undefined, now: OwnTemplate) {
  const pointed = (template: OwnTemplate): Record<string, string> =>
    Object.fromEntries(Object.entries(template).map(([name, text]) => [`template/${name}`, text]))
  const faults = Object.entries(faultsOf(error, sent ? pointed(sent) : undefined, pointed(now)))
  return Object.fromEntries(faults.map(([pointer, fault]) => [pointer.replace('template/', ''), fault])) as Partial<
    Record<keyof OwnTemplate, string>
  >
}
