import { describe, expect, it } from 'vitest'
import { linePath, scaleOf } from './plotting'

const part = 60_000
const plot = (values: number[]) => ({ from: 0, until: 10 * part, part, series: [{ name: 'x', values }] })

describe('the path of a line', () => {
  it('goes from the bottom for nothing to the top for the highest value', () => {
    const scale = scaleOf(plot([0, 4, 2]))
    expect(linePath(scale, [0, part, 2 * part], [0, 4, 2])).toBe('M0 100L100 0L200 50')
  })

  it('is interrupted where parts are missing, but not where one is', () => {
    const values = [2, 2, 2]
    expect(linePath(scaleOf(plot(values)), [0, 2 * part, 6 * part], values)).toBe('M0 0L200 0M600 0h0.01')
  })

  it('closes an area at the bottom', () => {
    const values = [2, 1]
    expect(linePath(scaleOf(plot(values)), [part, 2 * part], values, true)).toBe('M100 100L100 0L200 50L200 100Z')
  })

  it('begins at the edge when its first part began before the period', () => {
    expect(linePath(scaleOf(plot([2])), [-part], [2])).toBe('M0 0h0.01')
  })

  it('is at the bottom when there was nothing', () => {
    expect(linePath(scaleOf(plot([0])), [0], [0])).toBe('M0 100h0.01')
  })
})

describe('the top of a plot', () => {
  it('and its half are round', () => {
    const tops = [0, 1, 3, 7, 19, 242, 5999, 1_460_640].map((value) => scaleOf(plot([value])).top)
    expect(tops).toEqual([2, 2, 4, 8, 20, 280, 6000, 1_480_000])
  })

  it('is above what is at the bottom', () => {
    const scale = scaleOf({ ...plot([216, 240]), base: 210 })
    expect([scale.top, scale.y(210), scale.y(scale.top)]).toEqual([242, 100, 0])
  })

  it('is round in the unit that is shown', () => {
    expect(scaleOf({ ...plot([3190]), unitOf: () => 60 }).top).toBe(56 * 60)
  })
})

it('finds the time that is nearest to the pointer', () => {
  const scale = scaleOf(plot([0]))
  const times = [0, 4 * part, 10 * part]
  expect([0, 0.3, 0.69, 0.71, 1].map((share) => scale.nearest(times, share))).toEqual([0, 1, 1, 2, 2])
  expect(scale.nearest([], 0.5)).toBeUndefined()
})
