/** One line of a plot. It has a value for each time. */
export type Series = { name: string; values: readonly number[] }

/** The size of the drawing, which is stretched to its place. */
export const width = 1000
export const height = 100

/** A line is interrupted where more than this many parts are missing. */
const longestGap = 2.5

type Scale = {
  x: (at: number) => number
  y: (value: number) => number
  gap: number
  /** The index of the time that is nearest to a share of the width. */
  nearest: (times: readonly number[], share: number) => number | undefined
}

export function scaleOf(plot: { from: number; until: number; part: number; series: readonly Series[] }): Scale {
  const { from, until, part, series } = plot
  const highest = Math.max(1, ...series.flatMap(({ values }) => values))
  return {
    x: (at) => (Math.max(0, at - from) / (until - from)) * width,
    y: (value) => height - (value / highest) * height,
    gap: longestGap * part,
    nearest: (times, share) => {
      const at = from + share * (until - from)
      const distance = (index: number) => Math.abs(times[index]! - at)
      let best: number | undefined
      for (const index of times.keys()) {
        if (best === undefined || distance(index) < distance(best)) best = index
      }
      return best
    },
  }
}

/** The path of a line, or of the area below it. */
export function linePath(scale: Scale, times: readonly number[], values: readonly number[], area = false): string {
  const pieces: string[][] = []
  for (const [index, at] of times.entries()) {
    const before = times[index - 1]
    if (before === undefined || at - before > scale.gap) pieces.push([])
    pieces.at(-1)!.push(`${round(scale.x(at))} ${round(scale.y(values[index] ?? 0))}`)
  }
  return pieces.map((points) => (area ? closed(points) : open(points))).join('')
}

/** A single point is drawn as a dot, by the round ends of a line without length. */
const open = (points: string[]) => `M${points.join('L')}${points.length === 1 ? 'h0.01' : ''}`

function closed(points: string[]): string {
  const x = (point: string | undefined) => point?.split(' ')[0]
  return `M${x(points[0])} ${height}L${points.join('L')}L${x(points.at(-1))} ${height}Z`
}

const round = (value: number) => Math.round(value * 10) / 10
