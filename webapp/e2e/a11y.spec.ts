import { AxeBuilder } from '@axe-core/playwright'
import { schemes, screens, sizes } from './screens.ts'
import { expect, follow, test } from './support/test.ts'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of schemes) {
    test.describe(`${size}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme, contextOptions: { reducedMotion: 'reduce' } })
      for (const [name, { path, signedIn, ready }] of Object.entries(screens)) {
        test(`${name} has no fault that axe finds, and does not scroll sideways`, async ({ page, signIn }) => {
          if (signedIn) {
            await signIn(page)
            await follow(page)
          }
          await page.goto(path)
          await ready(page)
          const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze()
          expect(
            violations.map(
              ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.any[0]?.message}`).join(' | ')}`,
            ),
          ).toEqual([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
        })
      }
    })
  }
}
