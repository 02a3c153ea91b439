import type { Importance } from '@sininho/sdk'
import { demo } from '../../i18n/demo'

/** The form's values. */
export type DemoMessage = { title: string; body: string; importance: Importance }

const [{ title, body }] = demo.examples

/** The message to begin with. */
export const firstMessage: DemoMessage = { title, body, importance: 'normal' }

/** The body that is sent: the form's values without empty fields and defaults. */
export type DemoPayload = Pick<DemoMessage, 'title'> & Partial<Omit<DemoMessage, 'title'>>

export function payloadOf({ title, body, importance }: DemoMessage): DemoPayload {
  return {
    title,
    ...(body && { body }),
    ...(importance !== 'normal' && { importance }),
  }
}
