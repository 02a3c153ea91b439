import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { schemes, screens, sizes } from './screens.ts'
import type { Sininho } from './support/sininho.ts'
import { expect, follow, test } from './support/test.ts'

/** Measures the loading times on a slow phone, and layout shifts; run by `make web-budget`. */

const slowly = { latency: 150, downloadThroughput: (1.6 * 1024 ** 2) / 8, uploadThroughput: (0.75 * 1024 ** 2) / 8 }
const slowdown = 4
const bars = { lcp: 2500, cls: 0.02, tbt: 200 }
/** Number of runs, whose median counts. The schemes alternate. */
const runs = { times: 5, shifts: 3 }

type Timing = { lcp: number; cls: number; tbt: number; shifted: string[] }

for (const [size, viewport] of Object.entries(sizes)) {
  test(`index, ${size}`, async ({ browser, sininho }) => {
    const all = await measure(browser, sininho, { viewport }, 'index', runs.times)
    judge(`index, ${size}`, 'LCP', median(all.map(({ lcp }) => lcp)), bars.lcp, 'ms')
    judge(`index, ${size}`, 'TBT', median(all.map(({ tbt }) => tbt)), bars.tbt, 'ms')
    judgeShift(`index, ${size}`, all)
  })

  for (const [name, follows] of [
    ['feed', true],
    ['channels', false],
    ['channel', true],
  ] as const) {
    test(`${name}, ${size}`, async ({ page, browser, sininho, signIn }) => {
      if (follows) {
        await signIn(page)
        await follow(page)
      }
      const storageState = await page.context().storageState()
      judgeShift(`${name}, ${size}`, await measure(browser, sininho, { viewport, storageState }, name, runs.shifts))
    })
  }
}

async function measure(browser: Browser, sininho: Sininho, options: BrowserContextOptions, name: string, runs: number) {
  const all: Timing[] = []
  for (let run = 0; run < runs; run++) {
    const context = await browser.newContext({
      baseURL: sininho.url,
      ...options,
      colorScheme: schemes[run % schemes.length],
    })
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    await cdp.send('Network.emulateNetworkConditions', { offline: false, ...slowly })
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.addInitScript(observe)
    await page.goto(screens[name]!.path)
    await screens[name]!.ready(page, sininho)
    all.push(await settled(page))
    await context.close()
  }
  return all
}

/** Runs in the page before its scripts, and records the browser's performance entries. */
function observe() {
  const timing: Timing = { lcp: 0, cls: 0, tbt: 0, shifted: [] }
  Object.assign(globalThis, { timing, timedAt: 0 })
  const on = <Entry>(type: string, take: (entry: Entry) => void) =>
    new PerformanceObserver((list) => {
      Object.assign(globalThis, { timedAt: performance.now() })
      for (const entry of list.getEntries()) take(entry as Entry)
    }).observe({ type, buffered: true })
  on<PerformanceEntry>('largest-contentful-paint', ({ startTime }) => (timing.lcp = startTime))
  // only after the first paint: before it there is nothing to interact with
  on<PerformanceEntry>('longtask', ({ startTime, duration }) => {
    const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity
    if (startTime + duration > painted) timing.tbt += Math.max(0, duration - 50)
  })
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Element }[] }
  on<Shift>('layout-shift', ({ value, hadRecentInput, sources }) => {
    if (hadRecentInput) return
    timing.cls += value
    timing.shifted.push(...sources.map(({ node }) => `${node?.nodeName ?? '?'}.${node?.className ?? ''}`))
  })
}

/** Waits until nothing has been observed for two seconds, and returns the timing. */
async function settled(page: Page): Promise<Timing> {
  type Observed = { timing: Timing; timedAt: number }
  await page.waitForFunction(() => performance.now() - (globalThis as unknown as Observed).timedAt > 2000)
  return page.evaluate(() => (globalThis as unknown as Observed).timing)
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

function judge(screen: string, what: string, is: number, bar: number, unit = '') {
  const shown = `${Number(is.toFixed(unit ? 0 : 4))} ${unit}`.trim()
  console.log(
    `${is <= bar ? 'ok    ' : 'MISSED'}  ${screen.padEnd(24)} ${what}  ${shown.padStart(8)}   ≤ ${bar} ${unit}`,
  )
  expect.soft(is, `${what} of ${screen}`).toBeLessThanOrEqual(bar)
}

function judgeShift(screen: string, all: Timing[]) {
  judge(screen, 'CLS', median(all.map(({ cls }) => cls)), bars.cls)
  const shifted = new Set(all.filter(({ cls }) => cls > bars.cls).flatMap(({ shifted }) => shifted))
  if (shifted.size > 0) console.log(`        moved: ${[...shifted].join(' ')}`)
}
