import { expect, it } from 'vitest'
import { formatSearch, isSearch, parseSearch } from './search'

it.each([
  { q: '2026' },
  { ref: '12e45678' },
  { q: 'true' },
  { q: '"água" & pão = 1+1' },
  { redirect: '/login?redirect=%2Ffeed&invitation=x' },
  {},
])('keeps %o as the text that it is', (search) => {
  expect(parseSearch(formatSearch(search))).toEqual(search)
})

it('omits parameters without a value', () => {
  expect(formatSearch({ q: undefined, category: 'cidade' })).toBe('?category=cidade')
  expect(formatSearch({ q: undefined })).toBe('')
})

it('one letter is no search', () => {
  for (const text of ['', ' ', 'a', ' é ', 'a b', '!', 'ª']) expect(isSearch(text), text).toBe(false)
  for (const text of ['ab', 'a bc', '7', 'e\u0301t', '猫', '한']) expect(isSearch(text), text).toBe(true)
})
