/** What was typed into the fields of a page, by their labels. */
type Typed = { path: string; fields: Record<string, string> }

const key = 'sininho.typed'
const fields = 'input:is([type=text], [type=email], [type=search], [type=url], :not([type])), textarea'

type Field = HTMLInputElement | HTMLTextAreaElement

const labelOf = (field: Field) =>
  field.labels?.[0]?.textContent ?? field.getAttribute('aria-label') ?? field.getAttribute('name') ?? ''

/** The fields in sight, by their labels. Of several with one label, the first. */
function fieldsByLabel(): Map<string, Field> {
  const all = [...document.querySelectorAll<Field>(fields)].toReversed()
  return new Map(all.map((field) => [labelOf(field), field]))
}

/**
 * Keeps what is typed when a part of the page cannot be loaded, because the screen may give way to a failure and the page
 * be reloaded. Brings back what an earlier page has kept, each text when its field is there.
 */
export function keepTyped() {
  let typed: Typed | undefined
  addEventListener('vite:preloadError', () => {
    const filled = [...fieldsByLabel()].flatMap(([label, { value }]) => (label && value ? [[label, value]] : []))
    if (filled.length > 0) typed = { path: location.pathname, fields: Object.fromEntries(filled) as Typed['fields'] }
  })
  addEventListener('pagehide', () => {
    if (typed?.path === location.pathname) sessionStorage.setItem(key, JSON.stringify(typed))
  })
  const kept = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  if (kept) bringBack(JSON.parse(kept) as Typed)
}

function bringBack({ path, fields: values }: Typed) {
  const missing = new Map(Object.entries(values))
  const fill = () => {
    if (location.pathname !== path) return observer.disconnect()
    for (const [label, field] of fieldsByLabel()) {
      const value = missing.get(label)
      if (value === undefined) continue
      missing.delete(label)
      type(field, value)
    }
    if (missing.size === 0) observer.disconnect()
  }
  const observer = new MutationObserver(fill)
  observer.observe(document, { childList: true, subtree: true })
}

/** Fills a field as a person does, so that React notices. */
function type(field: Field, value: string) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
