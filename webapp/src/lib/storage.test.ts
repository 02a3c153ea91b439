import { expect, test } from 'vitest'
import { bytes, isAlmostFull } from './storage'

test.each([
  [0, '0 MB'],
  [1, '1 MB'],
  [536_870_912, '537 MB'],
  [21_474_836_480, '21,5 GB'],
])('%i bytes are %s', (count, text) => expect(bytes(count)).toBe(text))

test('storage is almost full from nine tenths of a quota on', () => {
  expect(isAlmostFull({ usedBytes: 89, quotaBytes: 100 })).toBe(false)
  expect(isAlmostFull({ usedBytes: 90, quotaBytes: 100 })).toBe(true)
  expect(isAlmostFull({ usedBytes: 90 })).toBe(false)
})
