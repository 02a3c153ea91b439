import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const colorRules = ['color-contrast', 'link-in-text-block'] // of these tags

/**
 * Returns what axe finds wrong with a page, a line for each rule. `colorsOnly` is for a page that has passed in another
 * scheme, because nothing but colours depends on the scheme. The legacy mode does not look into frames of other origins,
 * of which there are none, and is a quarter faster, because it needs no second page for the result.
 */
export async function axeFaults(page: Page, { colorsOnly = false } = {}): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (colorsOnly ? axe.withRules(colorRules) : axe.withTags(tags)).analyze()
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.any[0]?.message}`).join(' | ')}`,
  )
}
