import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { schemes, screens, sizes } from './screens.ts'
import { expect, follow, test } from './support/test.ts'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

for (const [size, viewport] of Object.entries(sizes)) {
  test.describe(size, () => {
    test.use({ viewport, contextOptions: { reducedMotion: 'reduce' } })
    for (const [name, { path, signedIn, ready }] of Object.entries(screens)) {
      test(`${name} has no fault that axe finds, in either scheme, and does not scroll sideways`, async ({
        page,
        sininho,
        signIn,
      }) => {
        if (signedIn) {
          await signIn(page)
          await follow(page)
        }
        await page.goto(path)
        await ready(page, sininho)
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
          const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze()
          expect(
            violations.map(
              ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.any[0]?.message}`).join(' | ')}`,
            ),
            colorScheme,
          ).toEqual([])
        }
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
      })
    }
  })
}

test('every route is among the screens that are looked at', () => {
  const tree = readFileSync(join(import.meta.dirname, '../src/gen/routeTree.ts'), 'utf8')
  const routes = /interface FileRoutesByTo \{([^}]*)\}/.exec(tree)![1]!.match(/'[^']+'(?=:)/g)!
  const looked = Object.values(screens).map(({ path }) => new URL(path, 'http://x').pathname)
  const missing = routes.filter((route) => {
    const pattern = new RegExp(`^${route.slice(1, -1).replaceAll(/\$\w+/g, '[^/]+')}$`)
    return !looked.some((path) => pattern.test(path))
  })
  expect(missing).toEqual([])
})
