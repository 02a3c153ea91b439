import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { WebhookError, signChallenge, verifyWebhook } from '../src/index.js'

type Vector = { id: string; timestamp: string; signature: string; body: string; secrets: string[] }
type Case = Partial<Vector> & { name: string; offset?: number; want?: string }

/** Go's pkg/webhook is tested with the same vectors. */
const file = new URL('../../pkg/webhook/testdata/vectors.json', import.meta.url)
const { valid, cases } = JSON.parse(readFileSync(file, 'utf8')) as { valid: Vector; cases: Case[] }
const now = () => Number(valid.timestamp) * 1000
const headersOf = ({ id, timestamp, signature }: Vector) => ({
  'webhook-id': id,
  'webhook-timestamp': timestamp,
  'webhook-signature': signature,
})

describe('verifyWebhook', () => {
  it.each(cases)('$name', async ({ name: _name, offset = 0, want, ...change }) => {
    const it = { ...valid, ...change }
    const outcome = await verifyWebhook(it.body, headersOf(it), it.secrets, { now: () => now() + offset * 1000 }).catch(
      (error: unknown) => error,
    )
    if (want === undefined) {
      expect(outcome).toEqual({ id: valid.id, timestamp: new Date(now()), body: valid.body })
    } else {
      expect(outcome).toBeInstanceOf(WebhookError)
      expect(outcome).toMatchObject({ fault: want })
    }
  })

  it('accepts headers of any kind and case, and the body as text or bytes', async () => {
    const pairs = headersOf(valid)
    const titled = Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name.toUpperCase(), [value]]))
    const bytes = new TextEncoder().encode(valid.body)
    const padded = new Uint8Array([0, ...bytes, 0]).subarray(1, -1)
    for (const headers of [pairs, titled, new Headers(pairs)]) {
      for (const body of [valid.body, bytes, bytes.buffer, padded, Buffer.from(valid.body)]) {
        const message = await verifyWebhook(body, headers, valid.secrets[0] ?? '', { now })
        expect(message.body).toBe(valid.body)
      }
    }
  })

  it('accepts any bytes, whether or not they are text', async () => {
    const error = await verifyWebhook(new Uint8Array([0, 255, 46]), headersOf(valid), valid.secrets, { now }).catch(
      (e: unknown) => e,
    )
    expect(error).toMatchObject({ fault: 'signature' })
  })

  it('applies the given tolerance to the clock', async () => {
    const later = { now: () => now() + 60_000 }
    await expect(
      verifyWebhook(valid.body, headersOf(valid), valid.secrets, { ...later, tolerance: 60 }),
    ).resolves.toBeTruthy()
    await expect(
      verifyWebhook(valid.body, headersOf(valid), valid.secrets, { ...later, tolerance: 59 }),
    ).rejects.toThrow('59 s')
    await expect(verifyWebhook(valid.body, headersOf(valid), valid.secrets)).rejects.toMatchObject({ fault: 'too_old' })
  })

  it('puts no secret into an error', async () => {
    for (const secret of ['whsec_c2VncmVkbw==', 'whsec_segredo!']) {
      const error = (await verifyWebhook('', {}, secret).catch((e: unknown) => e)) as Error
      expect(error.message).not.toContain(secret.slice(6))
    }
  })
})

describe('signChallenge', () => {
  const message = { id: valid.id, timestamp: new Date(now()) }
  const challenge = '3kTMd8yWqvXb2RzLpN5cHs'

  it('signs the challenge as the body would be, with every secret', async () => {
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    const signature = await signChallenge(message, challenge, [other, valid.secrets[0] ?? ''])
    for (const secret of [other, valid.secrets[0] ?? '']) {
      const verified = await verifyWebhook(challenge, headersOf({ ...valid, signature }), secret, { now })
      expect(verified.body).toBe(challenge)
    }
  })

  it.each(['', '{"type":"test"}', 'a.b', 'a b', 'é', 'a'.repeat(65)])('refuses to sign %j', async (text) => {
    await expect(signChallenge(message, text, valid.secrets)).rejects.toMatchObject({ fault: 'challenge' })
  })
})
