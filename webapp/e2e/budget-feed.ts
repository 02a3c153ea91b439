import type { CDPSession, Page } from '@playwright/test'
import { judge, slowdown, slowly } from './support/bars.ts'
import { follow, test, workerReady } from './support/test.ts'

/** Measures a feed of 10,000 notifications on a slow phone; run by `make web-budget`. */

const many = 10_000
/** How many one scrolls through, by pages: all of them stay in the list. */
const scrolled = 200
const pageSize = 10
const screen = 'feed of 10,000, phone'

test('10,000 notifications', async ({ page, context, sininho, signIn }) => {
  test.setTimeout(600_000)
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page)
  const channel = await sininho.createChannel('muitas')
  await follow(page, channel)
  const feed = `/feed?channel=${channel}`
  const batch = Array.from({ length: 100 }, (_, index) => ({ title: `Número ${index}`, body: 'Texto de um aviso.' }))
  for (let published = 0; published < many; published += batch.length) await sininho.publishAll(channel, batch)
  const cdp = await context.newCDPSession(page)
  const first = page.getByRole('article').first()

  await page.goto(feed)
  await first.waitFor()
  await workerReady(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await slow(cdp, slowly)
  const visit = () =>
    time(
      () => page.reload({ waitUntil: 'commit' }),
      () => first.waitFor(),
    )
  judge(screen, 'visit, 1.6 Mbps', await visit(), 2500, 'ms')
  await slow(cdp)
  await context.setOffline(true)
  judge(screen, 'visit, offline', await visit(), 2500, 'ms')
  await context.setOffline(false)

  const articles = page.getByRole('article')
  const start = Date.now()
  for (let before = await articles.count(); before < scrolled; before = await articles.count()) {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.waitForFunction((count) => document.querySelectorAll('article').length > count, before, {
      polling: 'raf',
    })
  }
  judge(screen, `a page, to ${scrolled}`, ((Date.now() - start) * pageSize) / scrolled, 500, 'ms')
  judge(screen, 'heap then', await heap(cdp), 100, 'MB')
  judge(screen, 'reading one then', await click(page), 200, 'ms')
})

const slow = (cdp: CDPSession, conditions = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 }) =>
  cdp.send('Network.emulateNetworkConditions', { offline: false, ...conditions })

async function time(begin: () => Promise<unknown>, end: () => Promise<unknown>) {
  const start = Date.now()
  await begin()
  await end()
  return Date.now() - start
}

async function heap(cdp: CDPSession) {
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return usedSize / 1024 ** 2
}

/** Opens the notification in sight, and returns how long the browser took to show it. */
async function click(page: Page) {
  await page.evaluate(() => {
    const durations: number[] = []
    Object.assign(globalThis, { durations })
    new PerformanceObserver((list) => durations.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'event',
      durationThreshold: 16,
    } as PerformanceObserverInit)
  })
  await page
    .getByRole('button', { name: /^Por ler: / })
    .last()
    .click()
  await page.waitForFunction(() => (globalThis as unknown as { durations: number[] }).durations.length > 0)
  return page.evaluate(() => Math.max(...(globalThis as unknown as { durations: number[] }).durations))
}
