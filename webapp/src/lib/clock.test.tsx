import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useToday } from '../features/feed/useToday'
import { groupByDay, sinceLabel } from './dates'
import { subscribeClock } from './clock'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('after midnight today becomes yesterday, and dates of the old year show it', () => {
  vi.setSystemTime('2026-12-31T23:59:50')
  const { result } = renderHook(() => useToday())
  const labels = () =>
    groupByDay(
      ['2026-12-31T20:00:00', '2026-12-30T20:00:00', '2026-01-02T20:00:00'],
      (at) => new Date(at),
      result.current,
    ).map(({ label }) => label)
  expect(labels()).toEqual(['Hoje', 'Ontem', '2 de janeiro'])
  act(() => vi.advanceTimersByTime(30_000))
  expect(labels()).toEqual(['Ontem', '30 de dezembro de 2026', '2 de janeiro de 2026'])
})

it('notifies on waking, and stops without listeners', () => {
  const listener = vi.fn()
  const stop = subscribeClock(listener)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(listener).toHaveBeenCalledOnce()
  stop()
  document.dispatchEvent(new Event('visibilitychange'))
  act(() => vi.advanceTimersByTime(60_000))
  expect(listener).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})

it('a moment is relative within the hour, and never in the future', () => {
  const now = new Date('2026-03-01T12:00:00')
  const at = (time: string) => sinceLabel(new Date(`2026-03-01T${time}`), now)
  expect([at('11:59:40'), at('11:01:00'), at('11:00:00'), at('12:00:05')]).toEqual([
    'agora',
    'há 59 min',
    '11:00',
    '12:00',
  ])
})
