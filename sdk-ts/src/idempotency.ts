import type { Middleware } from 'openapi-fetch'
import type { paths as MainPaths } from './gen/sininho.js'
import type { paths as WaitlistPaths } from './gen/waitlist.js'

type Paths = MainPaths & WaitlistPaths
type PostHeader<P extends keyof Paths> = Paths[P] extends { post: { parameters: { header?: infer H } } }
  ? NonNullable<H>
  : never
type TakesKey<P extends keyof Paths> = [PostHeader<P>] extends [never]
  ? never
  : 'Idempotency-Key' extends keyof PostHeader<P>
    ? P
    : never

/** The paths whose POST accepts an Idempotency-Key. Its type makes the compiler check it against the contracts. */
const takesKey: { [P in keyof Paths as TakesKey<P>]: true } = {
  '/categories': true,
  '/publishers': true,
  '/publishers/{publisherSlug}/members': true,
  '/publishers/{publisherSlug}/invitations': true,
  '/publishers/{publisherSlug}/api-keys': true,
  '/publishers/{publisherSlug}/api-keys/{id}/rotate': true,
  '/publishers/{publisherSlug}/event-endpoints': true,
  '/publishers/{publisherSlug}/event-endpoints/{id}/rotate': true,
  '/channels': true,
  '/channels/{publisherSlug}/{channelSlug}/drafts': true,
  '/channels/{publisherSlug}/{channelSlug}/invitations': true,
  '/channels/{publisherSlug}/{channelSlug}/notifications': true,
  '/channels/{publisherSlug}/{channelSlug}/notifications/batch': true,
  '/channels/{publisherSlug}/{channelSlug}/templates': true,
  '/channels/{publisherSlug}/{channelSlug}/webhooks': true,
  '/channels/{publisherSlug}/{channelSlug}/webhooks/{id}/rotate': true,
  '/subscribers/access-tokens': true,
  '/waitlist/invitations': true,
}

/** Adds a random Idempotency-Key to creates, unless the caller set one: all attempts with one key create only once. */
export const underOneKey: Middleware = {
  onRequest({ request, schemaPath }) {
    if (request.method !== 'POST' || !Object.hasOwn(takesKey, schemaPath) || request.headers.has('Idempotency-Key')) {
      return
    }
    request.headers.set('Idempotency-Key', randomKey())
  },
}

// crypto.randomUUID is missing in browsers when the page was not loaded over TLS
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
