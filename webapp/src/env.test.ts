import { expect, it } from 'vitest'
import { InvalidEnv, readEnv } from './env'
import { testEnv } from './testing/factories'

it('reads the served settings, with both API addresses on port 8080 by default', () => {
  expect(readEnv(testEnv)).toEqual({
    ...testEnv,
    API_BASE_URL: 'http://localhost:8080/api/v1',
    WAITLIST_API_BASE_URL: 'http://localhost:8080/api/v1',
    SIGN_UP: 'open',
    PUBLISHERS: 'open',
    PUSH: 'fcm',
    ANALYTICS: 'posthog',
  })
})

it('has no waiting list and open sign-up by default', () => {
  const { WAITLIST: _waitlist, ...rest } = testEnv
  expect(readEnv(rest)).toMatchObject({ WAITLIST: 'closed', SIGN_UP: 'open' })
  const invited = { WAITLIST: 'open', SIGN_UP: 'invitation' }
  expect(readEnv({ ...rest, ...invited })).toMatchObject(invited)
  expect(() => readEnv({ ...rest, SIGN_UP: 'nobody' })).toThrow('Invalid env provided')
})

it('takes an email address or a page for support', () => {
  for (const address of ['mailto:ajuda@example.com', 'https://example.com/ajuda']) {
    expect(readEnv({ ...testEnv, SUPPORT_URL: address })).toMatchObject({ SUPPORT_URL: address })
  }
  for (const address of ['ajuda@example.com', 'mailto:', 'javascript:alert(1)']) {
    expect(() => readEnv({ ...testEnv, SUPPORT_URL: address })).toThrow('Invalid env provided')
  }
})

it('takes the address of a policy, or the page that shows its text', () => {
  for (const [name, page] of [
    ['PRIVACY', '/privacy'],
    ['TERMS', '/terms'],
  ] as const) {
    for (const value of [page, 'https://example.com/regras']) {
      expect(readEnv({ ...testEnv, [name]: value })).toMatchObject({ [name]: value })
    }
    for (const value of ['/feed', '//example.com', 'mailto:a@example.com', 'javascript:alert(1)']) {
      expect(() => readEnv({ ...testEnv, [name]: value })).toThrow('Invalid env provided')
    }
  }
})

it('names each variable and its problem, in Portuguese and all at once', () => {
  const { FIREBASE_API_KEY: _missing, ...rest } = testEnv
  let error: unknown
  try {
    readEnv({ ...rest, FIREBASE_APP_ID: '', POSTHOG_HOST: 'eu.posthog.com', API_BASE_URL: 7 })
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(InvalidEnv)
  expect((error as InvalidEnv).message).toBe('Invalid env provided')
  expect((error as InvalidEnv).problems).toEqual([
    { name: 'FIREBASE_API_KEY', problem: 'é necessário' },
    { name: 'FIREBASE_APP_ID', problem: 'está vazio' },
    { name: 'POSTHOG_HOST', problem: 'é inválido' },
    { name: 'API_BASE_URL', problem: 'é inválido' },
  ])
})

it('needs no settings of PostHog without analytics', () => {
  const { POSTHOG_API_KEY: _key, POSTHOG_HOST: _host, ...rest } = testEnv
  expect(readEnv({ ...rest, ANALYTICS: 'off' })).toMatchObject({ ANALYTICS: 'off' })
  expect(() => readEnv(rest)).toThrow('Invalid env provided')
  expect(() => readEnv({ ...testEnv, ANALYTICS: 'some' })).toThrow('Invalid env provided')
})

it('needs of Firebase and Web Push only what takes pushes', () => {
  const other = Object.fromEntries(Object.entries(testEnv).filter(([name]) => !name.startsWith('FIREBASE_')))
  const key = { WEB_PUSH_PUBLIC_KEY: 'BAbc' }
  expect(readEnv({ ...other, PUSH: 'webpush', ...key })).toMatchObject({ PUSH: 'webpush', ...key })
  expect(readEnv({ ...testEnv, PUSH: 'fcm,webpush', ...key })).toMatchObject(key)
  for (const wrong of [
    { ...other, PUSH: 'webpush' },
    { ...other, PUSH: 'fcm,webpush', ...key },
    { ...testEnv, PUSH: '' },
  ])
    expect(() => readEnv(wrong)).toThrow('Invalid env provided')
})

it('fails when there are no settings at all', () => {
  expect(() => readEnv(undefined)).toThrow('Invalid env provided')
})
