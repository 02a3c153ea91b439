import { expect, it } from 'vitest'
import { headersOf, payloadIn, previewOf } from './webhook'

it('takes only a whole object as what a program sends', () => {
  expect(payloadIn(' {"title": "Olá"}\n')).toEqual({ title: 'Olá' })
  for (const text of ['', '{"title": "Olá"', '[]', 'null', '"Olá"', '7']) expect(payloadIn(text)).toBeUndefined()
})

it('says what kind of event it is as the sender does', () => {
  expect(headersOf('github', ' issues ')).toEqual({ 'x-github-event': 'issues' })
  expect(headersOf('sentry', 'issue')).toEqual({ 'sentry-hook-resource': 'issue' })
  expect(headersOf('github', ' ')).toBeUndefined()
  expect(headersOf('plain', 'issues')).toBeUndefined()
})

it('previews with the template of the webhook, if it has one', () => {
  const webhook = {
    id: '1',
    name: 'CI',
    url: 'https://example.com/hook',
    signed: true,
    signing: 'standard',
    sender: 'plain',
    createdAt: '2026-03-01T12:00:00Z',
  } as const
  const payload = { title: 'Olá' }
  expect(previewOf(webhook, payload)).toEqual({ sender: 'plain', payload })
  const template = { title: '{{ payload.title }}' }
  expect(previewOf({ ...webhook, template }, payload, { a: 'b' })).toEqual({
    sender: 'plain',
    payload,
    template,
    headers: { a: 'b' },
  })
})
