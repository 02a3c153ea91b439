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
  /** The value at the top. The one in the middle is round, too. */
  top: number
  gap: number
  /** The index of the time that is nearest to a share of the width. */
  nearest: (times: readonly number[], share: number) => number | undefined
}

/** What the scale of a plot depends on. */
export type Plotted = {
  /** When the period begins and ends, in milliseconds. */
  from: number
  until: number
  /** The length of a part in milliseconds. Lines are interrupted where a part is missing. */
  part: number
  series: readonly Series[]
  /** The value at the bottom. */
  base?: number
  /** In which unit a value is shown, as 60 for seconds that are shown as minutes. */
  unitOf?: (value: number) => number
}

export function scaleOf({ from, until, part, series, base = 0, unitOf = () => 1 }: Plotted): Scale {
  const highest = Math.max(...series.flatMap(({ values }) => values), base)
  const unit = unitOf(highest)
  const top = base + roundUp((highest - base) / unit) * unit
  return {
    x: (at) => (Math.max(0, at - from) / (until - from)) * width,
    y: (value) => height - ((value - base) / (top - base)) * height,
    top,
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

/** Returns twice a number of at most two digits that counts, so that an axis can name its top and its middle. */
function roundUp(value: number): number {
  const half = Math.max(1, value / 2)
  const step = Math.max(1, 10 ** Math.floor(Math.log10(half)) / 5)
  return 2 * step * Math.ceil(half / step)
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
