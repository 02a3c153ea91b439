import type { Locator, Page } from '@playwright/test'
import { judge, slowdown } from './bars.ts'

/** Milliseconds in which presses of keys and buttons are answered: three of four, and all but one of a hundred. */
export const bars = { p75: 50, p99: 200 }

export type Answer = { duration: number; what: string }

/** Runs in the page before its scripts, and records how long each press of a key or button took to be painted. */
export function observeInput() {
  const answers = new Map<number, Answer>()
  const pressed = new Map<number, string>()
  Object.assign(globalThis, { input: { answers, pressed } })
  const note = (event: Event) => {
    const words = event.target instanceof Element ? event.target.closest('button, a')?.textContent : undefined
    pressed.set(event.timeStamp, event instanceof KeyboardEvent ? event.key : (words?.slice(0, 30) ?? 'the page'))
  }
  for (const type of ['keydown', 'pointerdown']) addEventListener(type, note, true)
  type Timed = PerformanceEventTiming & { interactionId: number }
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, startTime, name } of list.getEntries() as Timed[]) {
      if (!interactionId) continue
      const { duration: before = 0, what = name } = answers.get(interactionId) ?? {}
      const label = pressed.get(startTime)
      answers.set(interactionId, { duration: Math.max(before, duration), what: label ? `«${label}»` : what })
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
}

/** The browser reports only what took longer. */
const unreported = 16

export async function answered(page: Page): Promise<Answer[]> {
  await painted(page)
  const { count, slower } = await page.evaluate(() => {
    const { input } = globalThis as unknown as { input: { pressed: Map<number, string>; answers: Map<number, Answer> } }
    return { count: input.pressed.size, slower: [...input.answers.values()] }
  })
  const quick = Array.from({ length: Math.max(0, count - slower.length) }, () => ({ duration: unreported, what: '' }))
  return [...slower, ...quick]
}

export type Use = (page: Page) => Promise<void>

/** Uses screens in a slowed browser, and returns how long each press took. */
export async function answersOf(page: Page, uses: [path: string, use: Use][]): Promise<Answer[]> {
  await page.addInitScript(observeInput)
  const slow = await page.context().newCDPSession(page)
  const answers: Answer[] = []
  for (const [path, use] of uses) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await slow.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await use(page)
    answers.push(...(await answered(page)))
    await slow.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  }
  return answers
}

/** Clicks without the checks of Playwright, which run in the page and would count. */
export const click = (target: Locator) => target.click({ force: true })

/** Types as a person does. */
export async function type(page: Page, field: Locator, text: string) {
  await click(field)
  await page.keyboard.type(text, { delay: 60 })
}

/** Waits until what was done so far is on the screen. */
export const painted = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))

export function judgeAnswers(screen: string, answers: Answer[], { p75 = bars.p75, p99 = bars.p99 } = {}) {
  const sorted = answers.toSorted((a, b) => a.duration - b.duration)
  const percentile = (percent: number) => sorted[Math.ceil((sorted.length * percent) / 100) - 1]!.duration
  judge(screen, 'p75', percentile(75), p75, 'ms')
  judge(screen, 'p99', percentile(99), p99, 'ms')
  const slow = sorted.filter(({ duration }) => duration > p75).map(({ what, duration }) => `${duration} ${what}`)
  console.log(`        ${sorted.length} inputs; over ${p75} ms: ${slow.join('; ') || 'none'}`)
}
