import type { Importance } from '@sininho/sdk'

/** The form's values. */
export type DemoMessage = { title: string; body: string; importance: Importance }

/** The body that is sent: the form's values without empty fields and defaults. */
export type DemoPayload = Pick<DemoMessage, 'title'> & Partial<Omit<DemoMessage, 'title'>>

export function payloadOf({ title, body, importance }: DemoMessage): DemoPayload {
  return {
    title,
    ...(body && { body }),
    ...(importance !== 'normal' && { importance }),
  }
}
