import type { Importance } from '@sininho/sdk'

/** What the visitor writes, as it stands in the form. */
export type DemoMessage = { title: string; body: string; importance: Importance }

/** What is sent of it: the same as any sender would, without what is empty or as usual. */
export type DemoPayload = Pick<DemoMessage, 'title'> & Partial<Omit<DemoMessage, 'title'>>

export function payloadOf({ title, body, importance }: DemoMessage): DemoPayload {
  return {
    title,
    ...(body && { body }),
    ...(importance !== 'normal' && { importance }),
  }
}
