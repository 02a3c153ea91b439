/** The content of a verified webhook. */
export interface WebhookMessage {
  /** Id of the event, the same for every attempt. An event may arrive twice, so store the ids that were handled. */
  id: string
  /** When this attempt was signed. */
  timestamp: Date
  /** The signed body. */
  body: string
}

/** Options of {@link verifyWebhook}. */
export interface VerifyOptions {
  /** Maximum difference in seconds between the webhook's timestamp and the clock, in either direction. Default: 300. */
  tolerance?: number | undefined
  /** The current time in milliseconds, for tests. Default: `Date.now`. */
  now?: (() => number) | undefined
}

/**
 * Why a webhook was rejected. `secret`: one of the given secrets is unusable. `header`: a header is missing or
 * malformed. `too_old`, `too_new`: the timestamp is outside the tolerance, so it may be a replay. `signature`: the body
 * was changed, parsed and serialized again, or signed with another secret. `challenge`: {@link signChallenge} refuses to
 * sign the text.
 */
export type WebhookFault = 'secret' | 'header' | 'too_old' | 'too_new' | 'signature' | 'challenge'

/** The webhook cannot be trusted. Respond with 401 and no details, but with 500 for `secret`, your own fault. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  /** The fault, for programs. */
  readonly fault: WebhookFault

  constructor(fault: WebhookFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** Request headers: a `Headers` object, or Node's `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const encoder = new TextEncoder()
const decoder = new TextDecoder()
// bounds the work that one request can cause
const maxSignatures = 16
const maxIdLength = 255
// required by Standard Webhooks: 192 to 512 bits
const minSecretBytes = 24
const maxSecretBytes = 64

/**
 * Verifies that a body was signed with one of the secrets (`whsec_…`), as defined by Standard Webhooks 1.0, and returns
 * its signed content. Pass the body exactly as it was received, and two secrets while one replaces the other.
 *
 * Throws {@link WebhookError}. Signatures of schemes other than v1 are ignored. The comparison takes constant time.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { tolerance = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookMessage> {
  const keys = await importKeys(typeof secrets === 'string' ? [secrets] : secrets, 'verify')
  const id = checkId(header(headers, 'webhook-id'))
  const seconds = header(headers, 'webhook-timestamp')
  const timestamp = checkTimestamp(seconds, tolerance, now())
  const signatures = parseSignatures(header(headers, 'webhook-signature'))
  const bytes = typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body)
  if (!(await anyMatches(keys, signatures, concat(encoder.encode(`${id}.${seconds}.`), bytes)))) {
    throw new WebhookError('signature', 'No signature matches')
  }
  return { id, timestamp, body: typeof body === 'string' ? body : decoder.decode(bytes) }
}

/**
 * Returns the response that confirms an event endpoint: the signature of the challenge instead of the body, under the id
 * and the timestamp of the message that {@link verifyWebhook} returned. Respond with it as text and a status of 200.
 *
 * Throws {@link WebhookError}, with the fault `challenge` unless it has 1 to 64 letters and digits: a receiver that signed
 * anything else could be made to sign an event.
 */
export async function signChallenge(
  { id, timestamp }: Pick<WebhookMessage, 'id' | 'timestamp'>,
  challenge: string,
  secrets: string | readonly string[],
): Promise<string> {
  if (!/^[A-Za-z0-9]{1,64}$/.test(challenge)) {
    throw new WebhookError('challenge', 'A challenge has 1 to 64 letters and digits')
  }
  const keys = await importKeys(typeof secrets === 'string' ? [secrets] : secrets, 'sign')
  const signed = encoder.encode(`${checkId(id)}.${Math.floor(timestamp.getTime() / 1000)}.${challenge}`)
  const sums = await Promise.all(keys.map((key) => crypto.subtle.sign('HMAC', key, signed)))
  return sums.map((sum) => `v1,${btoa(String.fromCharCode(...new Uint8Array(sum)))}`).join(' ')
}

/** The error messages must not contain the secret. */
async function importKeys(secrets: readonly string[], use: 'sign' | 'verify'): Promise<CryptoKey[]> {
  if (secrets.length === 0) throw new WebhookError('secret', 'No secret was given')
  const keys = secrets.map((secret) => {
    const key = decode(secret.replace(/^whsec_/, ''))
    if (!key) throw new WebhookError('secret', 'The secret is not base64 after whsec_')
    if (key.length < minSecretBytes || key.length > maxSecretBytes) {
      const range = `${minSecretBytes} to ${maxSecretBytes}`
      throw new WebhookError('secret', `The secret has ${key.length} bytes, not ${range}`)
    }
    return key
  })
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return Promise.all(keys.map((key) => crypto.subtle.importKey('raw', key, algorithm, false, [use])))
}

function header(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

// duck-typed, because a server framework's Headers need not be the platform's class
const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function'

/** The signed text is joined by full stops, so an id with one could be read as another id and timestamp. */
function checkId(id: string): string {
  if (!/^[!-~]+$/.test(id) || id.includes('.') || id.length > maxIdLength) {
    throw new WebhookError('header', `webhook-id has 1 to ${maxIdLength} visible ASCII characters other than '.'`)
  }
  return id
}

function checkTimestamp(seconds: string, tolerance: number, now: number): Date {
  const at = /^\d{1,12}$/.test(seconds) ? Number(seconds) * 1000 : 0
  if (at === 0) throw new WebhookError('header', 'webhook-timestamp is the time in seconds since 1970')
  if (at < now - tolerance * 1000) throw new WebhookError('too_old', `It was signed more than ${tolerance} s ago`)
  if (at > now + tolerance * 1000) throw new WebhookError('too_new', `It was signed more than ${tolerance} s ahead`)
  return new Date(at)
}

function parseSignatures(value: string): Uint8Array<ArrayBuffer>[] {
  const parts = value.split(/\s+/).filter(Boolean)
  if (parts.length === 0 || parts.length > maxSignatures) {
    throw new WebhookError('header', `webhook-signature holds 1 to ${maxSignatures} signatures`)
  }
  return parts.flatMap((part) => (part.startsWith('v1,') && decode(part.slice(3))) || [])
}

/** Tries every pair even after a match, so that timing reveals nothing. WebCrypto compares in constant time. */
async function anyMatches(keys: CryptoKey[], signatures: Uint8Array<ArrayBuffer>[], signed: Uint8Array<ArrayBuffer>) {
  const pairs = keys.flatMap((key) =>
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)),
  )
  return (await Promise.all(pairs)).includes(true)
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

/** Decodes strictly: atob ignores white space and does not insist on padding. */
function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
