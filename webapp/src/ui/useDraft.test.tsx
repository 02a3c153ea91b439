import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useDraft } from './useDraft'

type Draft = { name?: string }
const draft = (whose: string) => renderHook(() => useDraft<Draft>(whose, {}))

it('is there again after leaving, for whose it is alone', () => {
  const { result, unmount } = draft('ana')
  act(() => result.current[1]({ name: 'Ana M' }))
  unmount()
  expect(draft('ana').result.current[0]).toEqual({ name: 'Ana M' })
  expect(draft('rui').result.current[0]).toEqual({})
})

it('is not kept once it is empty', () => {
  const { result, unmount } = draft('eva')
  act(() => result.current[1]({ name: 'Eva' }))
  act(() => result.current[1]({}))
  unmount()
  expect(draft('eva').result.current[0]).toEqual({})
  expect(Object.keys(sessionStorage).filter((key) => key.includes('eva'))).toEqual([])
})

it('that cannot be read is none', () => {
  sessionStorage.setItem('sininho.draft.ivo', '{')
  expect(draft('ivo').result.current[0]).toEqual({})
})
