import type { BrowserContext } from '@playwright/test'

/** What a browser's translator does with a text node: it puts another in its place, or moves it into elements. */
export type Translation = 'replaces' | 'moves'

/**
 * Treats every page as a browser does that translates it: each text, also one that comes or changes later, is in two
 * font elements from then on. The words stay, so that tests find them.
 */
export async function translate(context: BrowserContext, translation: Translation) {
  await context.addInitScript((how) => {
    const left = 'script, style, title, textarea, font font'
    const font = (child: Node) => {
      const element = document.createElement('font')
      element.append(child)
      return element
    }
    const handle = (text: Text) => {
      if (!text.parentElement || text.parentElement.closest(left)) return
      if (how === 'replaces') return text.replaceWith(font(font(new Text(text.data))))
      const place = document.createElement('font')
      text.replaceWith(place)
      return place.append(font(text))
    }
    const textsIn = (node: Node) => {
      if (node instanceof Text) return [node]
      const texts: Text[] = []
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      return texts
    }
    const changed = ({ addedNodes, target }: MutationRecord) =>
      [...addedNodes, ...(target instanceof Text ? [target] : [])].flatMap(textsIn)
    new MutationObserver((records) => records.flatMap(changed).forEach(handle)).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
    })
  }, translation)
}
