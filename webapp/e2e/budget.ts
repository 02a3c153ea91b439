import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { schemes, screens, sizes } from './screens.ts'
import { commute } from './screens/data/commuter.ts'
import {
  answered,
  answersOf,
  bars as answerBars,
  click,
  judgeAnswers,
  observeInput,
  painted,
} from './support/answers.ts'
import { judge, slowdown, slowly } from './support/bars.ts'
import type { Sininho } from './support/sininho.ts'
import { expect, follow, test } from './support/test.ts'

/** Measures loading times, layout shifts and answers to input on a slow phone; run by `make web-budget`. */

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
      if (name === 'feed') await commute(page, sininho)
      const storageState = await page.context().storageState()
      judgeShift(`${name}, ${size}`, await measure(browser, sininho, { viewport, storageState }, name, runs.shifts))
    })
  }
}

/**
 * What a visit loads until the list is there, and all its pictures; the rest is loaded while nobody waits. Analytics is
 * off, which may or may not be loaded by then.
 */
test('bytes of a feed with large pictures, phone', async ({ page, context, sininho, signIn }) => {
  await signIn(page)
  await page.goto('/login')
  const photo = Buffer.from(await page.evaluate(drawPhoto), 'base64')
  const publisher = createServer((_, response) => response.end(photo))
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve))
  await followPhotos(page, sininho, `http://127.0.0.1:${(publisher.address() as AddressInfo).port}`)

  const options = { baseURL: sininho.url, viewport: sizes.phone, deviceScaleFactor: 2 }
  const cold = await context.browser()!.newContext({ ...options, storageState: await context.storageState() })
  const feed = await cold.newPage()
  await feed.addInitScript(markList)
  await feed.addInitScript(() => Object.defineProperty(navigator, 'doNotTrack', { value: '1' }))
  await feed.goto('/feed')
  await expect(feed.getByRole('article')).toHaveCount(10)
  for (const picture of await feed.locator('main img').all()) {
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  }
  const { visit, pictures } = await feed.evaluate(loaded)
  const sum = (all: number[]) => all.reduce((total, each) => total + each, 0)
  console.log(
    `        ${pictures.length} pictures of ${Math.round(photo.length / 1024)} KB: ${Math.round(sum(pictures))} KB`,
  )
  judge('feed, phone', 'largest picture', Math.max(...pictures), 15.5, 'KB')
  judge('feed, phone', 'cold', sum(visit) + sum(pictures), 350, 'KB')
  await cold.close()
  await new Promise((resolve) => publisher.close(resolve))
})

/** Runs in the page before its scripts, and marks when the list is there. */
function markList() {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('article')) return
    performance.mark('list')
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })
}

/** Runs in the page, and returns the kilobytes of what was asked for before the list was there, and of pictures. */
function loaded() {
  const list = performance.getEntriesByName('list')[0]!.startTime
  const [visit, pictures]: [number[], number[]] = [[], []]
  const entries = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
  for (const { name, startTime, transferSize } of entries as PerformanceResourceTiming[]) {
    if (name.includes('/pictures/')) pictures.push(transferSize / 1024)
    else if (startTime < list) visit.push(transferSize / 1024)
  }
  return { visit, pictures }
}

/** Makes the page's person follow ten channels with a large icon, and a notification with a large picture each. */
async function followPhotos(page: Page, sininho: Sininho, pictures: string) {
  const { data } = (await (await page.request.get('/api/v1/categories')).json()) as { data: { id: string }[] }
  for (let each = 0; each < 10; each++) {
    const channel = { slug: sininho.slug('fotos'), name: `Fotos ${each}`, icon: `${pictures}/icon-${each}` }
    const address = await sininho.addChannel({ ...channel, categoryId: data[0]!.id })
    await follow(page, address)
    await sininho.publishAll(address, [{ title: `Fotografia ${each}`, image: `${pictures}/image-${each}` }])
  }
}

/** Runs in a page, and returns a JPEG with the detail of a photograph. */
function drawPhoto() {
  const canvas = document.createElement('canvas')
  const [width, height] = [(canvas.width = 1200), (canvas.height = 900)]
  const drawing = canvas.getContext('2d')!
  for (let shape = 0; shape < 3000; shape++) {
    drawing.fillStyle = `hsl(${Math.random() * 360} 50% ${Math.random() * 100}% / 40%)`
    drawing.beginPath()
    drawing.arc(Math.random() * width, Math.random() * height, Math.random() ** 4 * 300, 0, 7)
    drawing.fill()
  }
  return canvas.toDataURL('image/jpeg', 0.9).split(',')[1]!
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`answers, ${size}`, async ({ page, sininho, signIn }) => {
    await page.setViewportSize(viewport)
    await signIn(page)
    await fillFeed(page, sininho, `avisos-${size}`)
    judgeAnswers(
      `answers, ${size}`,
      await answersOf(page, [
        ['/feed', useFeed],
        ['/channels/demo/novidades', useChannel],
        ['/settings/profile', useProfile],
        ['/settings/app', useTheme],
      ]),
    )
  })

  test(`keys without slowdown, ${size}`, async ({ page, sininho, signIn }) => {
    await page.setViewportSize(viewport)
    await signIn(page)
    await fillFeed(page, sininho, `teclas-${size}`)
    await page.addInitScript(observeInput)
    await page.goto('/feed')
    await loadFeed(page)
    for (const key of 'jjjjkjejjkejjje') {
      await page.keyboard.press(key)
      await painted(page)
    }
    judgeAnswers(`keys, ${size}`, await answered(page), { p99: answerBars.p75 })
  })
}

/** Makes the page's person follow new channels with a hundred unread notifications, few enough of each to stand alone. */
async function fillFeed(page: Page, sininho: Sininho, slug: string) {
  for (let first = 0; first < 100; first += 2) {
    const channel = await sininho.createChannel(`${slug}-${first}`)
    await follow(page, channel)
    const titles = [first, first + 1].map((index) => ({ title: `Aviso ${index}`, body: 'Texto de um aviso.' }))
    await sininho.publishAll(channel, titles)
  }
}

/** Waits for the feed's keys, and loads all hundred notifications. */
async function loadFeed(page: Page) {
  const cards = page.getByRole('article')
  await page.locator('[aria-haspopup=dialog][title="Atalhos do teclado"]').waitFor({ state: 'attached' })
  await cards.first().waitFor()
  for (let loaded = 10; loaded < 100; loaded += 10) {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await cards.nth(loaded + 9).waitFor({ state: 'attached' })
  }
  await page.evaluate(() => scrollTo(0, 0))
}

async function useFeed(page: Page) {
  await loadFeed(page)
  const cards = page.getByRole('article')
  const card = (index: number) => cards.nth(index)
  const title = (index: number) => card(index).getByRole('heading').getByRole('button')

  for (const key of ['j', 'j', 'j', 'j', 'k', 'u', 'u', 'j', 'u', 'j', 'e', 'j', 'e', 'k', 'u', 'j']) {
    await page.keyboard.press(key)
    await painted(page)
  }
  await click(page.getByRole('button', { name: 'Anular' }).last())
  for (const index of [0, 2, 1]) {
    await title(index).scrollIntoViewIfNeeded()
    await click(title(index))
    await painted(page)
  }
  for (const choice of [/^Marcar como/, 'Arquivar']) {
    await click(card(1).getByRole('button', { name: 'Opções' }))
    await click(page.getByRole('menuitem', { name: choice }))
    await painted(page)
  }
  await click(page.getByRole('button', { name: 'Anular' }).last())
  const parts = page.getByRole('navigation', { name: 'Partes das notificações' })
  for (const part of ['Por ler', 'Importantes', 'Arquivadas', 'Tudo']) {
    await click(parts.getByRole('link', { name: part }))
    await parts.locator('[aria-current]', { hasText: part }).waitFor()
    await painted(page)
  }
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('aviso 4', { delay: 60 })
  await expect(page).toHaveURL(/q=aviso/)
  await page.getByRole('searchbox').fill('')
  await expect(page).not.toHaveURL(/q=/)
  await click(page.getByRole('button', { name: 'Marcar tudo como lido' }))
  await page.getByText('Está tudo lido.').waitFor()
}

async function useChannel(page: Page) {
  await page.getByRole('article').first().waitFor()
  await click(page.getByRole('button', { name: 'Seguir Novidades' }))
  const bell = page.getByRole('main').getByRole('button', { name: /^Sino de Novidades/ })
  await click(bell)
  await click(page.getByRole('button', { name: /^Só o importante/ }))
  await painted(page)
  await click(bell)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await click(page.getByRole('article').first().getByRole('button', { name: 'Opções' }))
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await click(page.getByRole('button', { name: 'A seguir Novidades' }))
  await page.getByRole('button', { name: 'Seguir Novidades' }).waitFor()
}

async function useProfile(page: Page) {
  const name = page.getByRole('textbox', { name: 'Nome' })
  await click(name)
  await page.keyboard.type(' Silva', { delay: 60 })
  await click(page.getByRole('button', { name: 'Guardar' }).first())
  await page.getByText('Perfil guardado.').waitFor()
}

async function useTheme(page: Page) {
  for (const theme of ['Escura', 'Clara']) {
    await page.getByText(theme, { exact: true }).scrollIntoViewIfNeeded()
    await click(page.getByText(theme, { exact: true }))
    await painted(page)
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

function judgeShift(screen: string, all: Timing[]) {
  judge(screen, 'CLS', median(all.map(({ cls }) => cls)), bars.cls)
  const shifted = new Set(all.filter(({ cls }) => cls > bars.cls).flatMap(({ shifted }) => shifted))
  if (shifted.size > 0) console.log(`        moved: ${[...shifted].join(' ')}`)
}
