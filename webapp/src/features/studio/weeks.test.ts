import { expect, it } from 'vitest'
import { dateOf, monthOf, weekdays, weeksOf } from './weeks'

const shown = (month: Date) => weeksOf(month).map((week) => week.map((day) => day?.getDate() ?? 0))

it('has the weeks of a month from Monday on', () => {
  expect(shown(new Date(2026, 10, 1))).toEqual([
    [0, 0, 0, 0, 0, 0, 1],
    [2, 3, 4, 5, 6, 7, 8],
    [9, 10, 11, 12, 13, 14, 15],
    [16, 17, 18, 19, 20, 21, 22],
    [23, 24, 25, 26, 27, 28, 29],
    [30, 0, 0, 0, 0, 0, 0],
  ])
  expect(shown(new Date(2027, 1, 1))).toHaveLength(4)
})

it('has every day once where the clocks change', () => {
  const october = weeksOf(new Date(2026, 9, 1))
    .flat()
    .filter(Boolean)
  expect(october.map((day) => dateOf(day!))).toEqual(
    Array.from({ length: 31 }, (_, index) => `2026-10-${String(index + 1).padStart(2, '0')}`),
  )
})

it('goes to the months beside, also from the end of a long one', () => {
  expect(dateOf(monthOf(new Date(2026, 11, 31), 2))).toBe('2027-02-01')
  expect(dateOf(monthOf(new Date(2026, 0, 31), -1))).toBe('2025-12-01')
})

it('names the week from Monday on', () => {
  expect(weekdays.map((day) => day.getDay())).toEqual([1, 2, 3, 4, 5, 6, 0])
})
