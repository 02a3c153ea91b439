import { expect, it, vi } from 'vitest'
import { deviceOf, subscribe } from './subscription'

const key = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
const bytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer

function browser(of: string | undefined) {
  const found = of !== undefined && { unsubscribe: vi.fn(), options: { applicationServerKey: bytes(of) } }
  const made = {}
  const pushManager = { getSubscription: async () => found || null, subscribe: vi.fn(async () => made) }
  return { found, made, pushManager, registration: { pushManager } as unknown as ServiceWorkerRegistration }
}

it('keeps a subscription of the same key', async () => {
  const { found, pushManager, registration } = browser(key)
  expect(await subscribe(registration, key)).toBe(found)
  expect(pushManager.subscribe).not.toHaveBeenCalled()
})

it('replaces a subscription of another key', async () => {
  const { found, made, registration } = browser(key.replace('BCV', 'BCW'))
  expect(await subscribe(registration, key)).toBe(made)
  expect(found && found.unsubscribe).toHaveBeenCalledOnce()
})

it('subscribes a browser for the first time', async () => {
  const { made, pushManager, registration } = browser(undefined)
  expect(await subscribe(registration, key)).toBe(made)
  expect(pushManager.subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: key })
})

it('describes a subscription as the server takes it', () => {
  const json = { endpoint: 'https://push.example/1', expirationTime: null, keys: { p256dh: 'p', auth: 'a' } }
  expect(deviceOf({ toJSON: () => json } as unknown as PushSubscription)).toEqual({
    kind: 'webpush',
    endpoint: 'https://push.example/1',
    keys: { p256dh: 'p', auth: 'a' },
  })
})
