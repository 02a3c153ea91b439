/** Where a reader was on a page: what was in sight, with its pixels below the top of the window. */
type Place = { anchors: [selector: string, top: number][]; rows: number; scroll: number }

const store = 'sininho.places'
/** The number of visited pages whose places are kept. */
const remembered = 50
/** The number of anchors of a place. Others may be gone when the page comes back. */
const anchored = 5
/** Milliseconds for which a page that comes back is moved to its place while it is loading. */
const patience = 10_000
/** Milliseconds without a correction after which it stays there. */
const steady = 1500
/** What a reader does to go elsewhere. */
const deeds = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

let leave = () => {}
let wanted: Place | undefined

/** Reports whether a list of notifications with these ids lacks those to which the page is being moved. */
export function isPlaceMissing(ids: readonly string[]): boolean {
  if (!wanted || ids.length >= wanted.rows) return false
  return !wanted.anchors.some(([selector]) => ids.some((id) => selector === selectorOf('data-id', id)))
}

const read = (): [string, Place][] => {
  try {
    return JSON.parse(sessionStorage.getItem(store) ?? '') as [string, Place][]
  } catch {
    return []
  }
}

/** Keeps the place of a page, by the key of its entry in the history. */
export function keepPlace(entry: string) {
  if (wanted) return // the page has not come back to the place that is kept
  const others = read().filter(([key]) => key !== entry)
  const places: [string, Place][] = scrollY > 0 ? [...others, [entry, currentPlace()]] : others
  sessionStorage.setItem(store, JSON.stringify(places.slice(-remembered)))
}

/** Moves a page to the place that was kept of it, until it stays there or the reader does something. */
export function bringBackTo(entry: string) {
  leave()
  const place = read().find(([key]) => key === entry)?.[1]
  if (!place) return
  const begun = performance.now()
  let moved = begun
  let frame = 0
  leave = () => {
    cancelAnimationFrame(frame)
    wanted = undefined
    deeds.forEach((deed) => removeEventListener(deed, leave, true))
  }
  deeds.forEach((deed) => addEventListener(deed, leave, true))
  wanted = place
  const step = () => {
    const now = performance.now()
    if (!moveTo(place)) moved = now
    if (now - begun > patience || now - moved > steady) return leave()
    frame = requestAnimationFrame(step)
  }
  step()
}

/** Moves the page as near to a place as it goes by now. Returns whether nothing had to move. */
function moveTo({ anchors, scroll }: Place): boolean {
  for (const [selector, top] of anchors) {
    const element = document.querySelector(selector)
    if (element) return moveBy(element.getBoundingClientRect().top - top)
  }
  return moveBy(scroll - scrollY) && anchors.length === 0
}

function moveBy(pixels: number): boolean {
  if (Math.abs(pixels) < 1) return true
  scrollBy({ top: pixels, behavior: 'instant' })
  return false
}

function currentPlace(): Place {
  const rows = tops('main [data-id]')
  const cards = rows.filter(({ top }) => top >= 0 && top < innerHeight)
  const sections = tops('main :is(section, [id])').filter(({ top }) => top < innerHeight)
  const nearest = sections.toSorted((a, b) => Math.abs(a.top) - Math.abs(b.top))
  const anchors = [...cards, ...nearest].flatMap(({ element, top }): [string, number][] => {
    const selector = nameOf(element)
    return selector ? [[selector, top]] : []
  })
  return { anchors: anchors.slice(0, anchored), rows: rows.length, scroll: scrollY }
}

const tops = (selector: string) =>
  [...document.querySelectorAll(selector)].map((element) => ({ element, top: element.getBoundingClientRect().top }))

const selectorOf = (attribute: string, value: string) => `[${attribute}="${value}"]`

/** Returns a selector that still finds an element after a reload, unlike the ids that React makes. */
function nameOf(element: Element): string | undefined {
  const attribute = ['data-id', 'aria-labelledby', 'id'].find((name) => element.hasAttribute(name))
  const value = attribute && element.getAttribute(attribute)
  return value && /^[a-z0-9][\w-]*$/i.test(value) ? selectorOf(attribute, value) : undefined
}
