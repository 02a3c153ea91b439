import { expect } from './test.ts'

/** A slow connection, and how much slower a phone is than this machine. */
export const slowly = {
  latency: 150,
  downloadThroughput: (1.6 * 1024 ** 2) / 8,
  uploadThroughput: (0.75 * 1024 ** 2) / 8,
}
export const slowdown = 4

/** Holds a value against its bar, in a line of the table. */
export function judge(screen: string, what: string, is: number, bar: number, unit = '') {
  const shown = `${Number(is.toFixed(unit ? 0 : 4))} ${unit}`.trim()
  console.log(
    `${is <= bar ? 'ok    ' : 'MISSED'}  ${screen.padEnd(24)} ${what}  ${shown.padStart(8)}   ≤ ${bar} ${unit}`,
  )
  expect.soft(is, `${what} of ${screen}`).toBeLessThanOrEqual(bar)
}
