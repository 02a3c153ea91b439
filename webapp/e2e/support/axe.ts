import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const colorRules = ['color-contrast', 'link-in-text-block'] // of these tags

/**
 * Returns what axe finds wrong with a page, a line for each rule. `colorsOnly` is for a page that has passed in another
 * scheme, because nothing but colours depends on the scheme. It looks at an open menu alone, which covers parts of what
 * cannot be used meanwhile. It does not look into frames, of which there are none.
 */
export async function axeFaults(page: Page, { colorsOnly = false } = {}): Promise<string[]> {
  await page.waitForFunction(transitionsAreOver)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const violations = await page.evaluate(
    (runOnly) =>
      (window as unknown as { axe: typeof axe }).axe
        .run(document.querySelector('[role=menu]') ?? document, {
          runOnly,
          resultTypes: ['violations'],
          preload: false,
        })
        .then((results) => results.violations),
    colorsOnly ? colorRules : tags,
  )
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.any[0]?.message}`).join(' | ')}`,
  )
}

/** Reports whether every colour is as it stays; a spinner goes on without end. */
const transitionsAreOver = () =>
  document.getAnimations().every((animation) => animation.effect?.getTiming().iterations === Infinity)
