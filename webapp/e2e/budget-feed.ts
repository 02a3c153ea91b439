import type { CDPSession, Page } from '@playwright/test'
import type { Sininho } from './support/sininho.ts'
import { expect, follow, test, workerReady } from './support/test.ts'

/** Measures a feed of 10,000 notifications on a slow phone; run by `make web-budget`. */

const many = 10_000
/** How many one scrolls through, by pages: all of them stay in the list. */
const scrolled = 200
const pageSize = 10
const slowly = { latency: 150, downloadThroughput: (1.6 * 1024 ** 2) / 8, uploadThroughput: (0.75 * 1024 ** 2) / 8 }

test('10,000 notifications', async ({ page, context, sininho, signIn }) => {
  test.setTimeout(600_000)
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page)
  await follow(page)
  await publish(sininho, many)
  const cdp = await context.newCDPSession(page)
  const first = page.getByRole('article').first()

  await page.goto('/feed')
  await first.waitFor()
  await workerReady(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await slow(cdp, slowly)
  judge(
    'a visit, 1.6 Mbps',
    await time(
      () => page.reload({ waitUntil: 'commit' }),
      () => first.waitFor(),
    ),
    2500,
    'ms',
  )
  await slow(cdp)
  await context.setOffline(true)
  judge(
    'a visit, offline',
    await time(
      () => page.reload({ waitUntil: 'commit' }),
      () => first.waitFor(),
    ),
    2500,
    'ms',
  )
  await context.setOffline(false)

  const articles = page.getByRole('article')
  const start = Date.now()
  while ((await articles.count()) < scrolled) {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.waitForFunction(
      (before) => document.querySelectorAll('article').length > before,
      await articles.count(),
      { polling: 'raf' },
    )
  }
  judge(`each page of ${scrolled} scrolled through`, ((Date.now() - start) * pageSize) / scrolled, 500, 'ms')
  judge('heap after that', await heap(cdp), 100, 'MB')
  judge('marking one as read then', await click(page), 200, 'ms')
})

async function publish(sininho: Sininho, count: number) {
  let left = count
  const one = async () => {
    while (left > 0) {
      const number = left--
      const response = await fetch(`${sininho.url}/api/v1/channels/demo/novidades/notifications`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${sininho.apiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          title: `Número ${number}`,
          body: 'Uma notificação como as outras, com duas linhas de texto.',
        }),
      })
      expect(response.status, await response.text()).toBe(201)
    }
  }
  await Promise.all(Array.from({ length: 32 }, one))
}

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

function judge(what: string, is: number, bar: number, unit: string) {
  console.log(
    `${is <= bar ? 'ok    ' : 'MISSED'}  ${what.padEnd(40)} ${`${is.toFixed(0)} ${unit}`.padStart(10)}   ≤ ${bar} ${unit}`,
  )
  expect.soft(is, what).toBeLessThanOrEqual(bar)
}
