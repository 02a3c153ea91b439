import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Returns what axe finds wrong with a page, a line for each rule. The legacy mode does not look into frames of other
 * origins, of which there are none, and is a quarter faster, because it needs no second page for the result.
 */
export async function axeFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(rules).analyze()
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.any[0]?.message}`).join(' | ')}`,
  )
}
