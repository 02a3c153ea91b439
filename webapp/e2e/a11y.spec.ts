import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { open, schemes, screens, sizes } from './screens.ts'
import { axeFaults } from './support/axe.ts'
import { expect, test } from './support/test.ts'
import { type Font, enlargeText, showIn, spoiltTexts } from './support/text.ts'

test.use({ viewport: sizes.phone, contextOptions: { reducedMotion: 'reduce' } })

const { phone, desktop, narrow } = sizes
/** The sizes for every change: phones have what desktops have, but for what is beside it. */
const looked = process.env.E2E === 'all' ? { phone, desktop } : { phone }
const fonts: Font[] = process.env.E2E === 'all' ? ['Roboto', 'Noto Sans'] : ['Roboto']

for (const [name, screen] of Object.entries(screens)) {
  test.describe(name, () => {
    // installing the worker costs as much as showing a screen, which needs it only without a connection
    test.use({ serviceWorkers: screen.offline ? 'allow' : 'block' })

    test('passes axe in both schemes, does not scroll sideways and has large touch targets, also with large text', async ({
      page,
      sininho,
      signIn,
    }) => {
      await open(screen, { page, sininho, signIn })
      for (const font of fonts) {
        await showIn(page, font)
        expect(await page.evaluate(smallTargets), 'small touch targets').toEqual([])
        for (const [size, viewport] of Object.entries(looked)) {
          await resize(page, viewport)
          for (const colorScheme of schemes) {
            await page.emulateMedia({ colorScheme })
            await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
            const faults = await axeFaults(page, { colorsOnly: colorScheme !== schemes[0] })
            expect(faults, `${font}, ${size}, ${colorScheme}`).toEqual([])
          }
          expect(await width(page), `width, ${size}`).toBeLessThanOrEqual(viewport.width)
        }
      }
      await resize(page, narrow)
      expect(await width(page), 'width, 320 px').toBeLessThanOrEqual(320)
      expect(await spoiltTexts(page), 'texts, 320 px').toEqual([])
      await enlargeText(page, 2)
      expect(await width(page), 'width, 320 px, text of 200 %').toBeLessThanOrEqual(320)
      await resize(page, phone)
      expect(await width(page), 'width, text of 200 %').toBeLessThanOrEqual(390)
      expect(await spoiltTexts(page), 'texts of 200 %').toEqual([])
    })
  })
}

/** Resizes the page, and waits until it is rendered in that size. */
async function resize(page: Page, viewport: { width: number; height: number }) {
  await page.setViewportSize(viewport)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

/** Returns touch targets less than 44 px high, labels and overlays included. Links in running text are exempt. */
function smallTargets() {
  const height = (element: Element) =>
    Math.max(element.getBoundingClientRect().height, parseFloat(getComputedStyle(element, '::after').height) || 0)
  const fields = 'input, select, textarea'
  return [...document.querySelectorAll(`a[href], button, summary, ${fields}`)]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => element.tagName !== 'A' || getComputedStyle(element).display !== 'inline')
    .filter((element) => {
      const { labels } = element as Partial<HTMLInputElement>
      return Math.max(...[element, ...(labels ?? [])].map(height)) < 44
    })
    .map((element) => `${element.getBoundingClientRect().height} px: ${element.outerHTML.slice(0, 200)}`)
}

test('every route is among the tested screens', () => {
  const tree = readFileSync(join(import.meta.dirname, '../src/gen/routeTree.ts'), 'utf8')
  const routes = /interface FileRoutesByTo \{([^}]*)\}/.exec(tree)![1]!.match(/'[^']+'(?=:)/g)!
  const looked = Object.values(screens).map(({ path }) => new URL(path, 'http://x').pathname)
  const missing = routes.filter((route) => {
    const pattern = new RegExp(`^${route.slice(1, -1).replace(/\/\$$/, '(/.+)?').replaceAll(/\$\w+/g, '[^/]+')}$`)
    return !looked.some((path) => pattern.test(path))
  })
  expect(missing).toEqual([])
})
