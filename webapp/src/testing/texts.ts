import { expect } from 'vitest'

/**
 * Expects each text that React renders to be all that its element has, by lib/jsx/apart.ts. A component that returns a
 * text, or an array with texts, has it in a fragment.
 */
export function expectTextsApart() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const beside = new Set<string>()
  while (texts.nextNode()) {
    const { parentElement: of } = texts.currentNode
    if (of && !setsText(of)) beside.add(of.outerHTML.slice(0, 300))
  }
  expect([...beside], 'texts that React does not set by their element').toEqual([])
}

/** Reports whether React sets the text of an element by the element, or not at all. */
function setsText(element: Element): boolean {
  const key = Object.keys(element).find((name) => name.startsWith('__reactProps'))
  const props = key && (element as unknown as Record<string, { children?: unknown }>)[key]
  return !props || 'dangerouslySetInnerHTML' in props || ['string', 'number'].includes(typeof props.children)
}
