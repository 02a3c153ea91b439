import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

/** Where `.ci/system-packages fonts` unpacks the fonts that phones show. */
const phones = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'sininho/packages/phones/root/usr/share/fonts/truetype',
)

/** The fonts by name, with their files by weight. */
const fonts = {
  Roboto: {
    400: 'roboto/unhinted/RobotoTTF/Roboto-Regular.ttf',
    500: 'roboto/unhinted/RobotoTTF/Roboto-Medium.ttf',
    700: 'roboto/unhinted/RobotoTTF/Roboto-Bold.ttf',
  },
  'Noto Sans': { 400: 'noto/NotoSans-Regular.ttf', 700: 'noto/NotoSans-Bold.ttf' },
} as const
export type Font = keyof typeof fonts

/** Sets the size of text of the loaded page as people do in the browser's settings: 2 is twice the usual size. */
export async function enlargeText(page: Page, by: number) {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard: 16 * by, fixed: 13 * by } })
  await session.detach()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

const read = new Map<Font, { weight: string; data: string }[]>()

/** The files of a font; none where there are no Debian packages to unpack them from. */
function filesOf(font: Font) {
  const known = read.get(font)
  if (known) return known
  const files = Object.entries(fonts[font])
    .map(([weight, name]) => ({ weight, file: join(phones, name) }))
    .filter(({ file }) => existsSync(file))
    .map(({ weight, file }) => ({ weight, data: readFileSync(file, 'base64') }))
  if (files.length === 0 && existsSync('/usr/bin/apt-get')) throw new Error(`no ${font}: run .ci/system-packages fonts`)
  read.set(font, files)
  return files
}

/** Shows the loaded page in a font that phones have. */
export async function showIn(page: Page, font: Font) {
  const faces = filesOf(font)
  if (faces.length === 0) return
  await page.evaluate(
    async ([family, files]) => {
      for (const { weight, data } of files) {
        const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
        document.fonts.add(await new FontFace(family, bytes, { weight }).load())
      }
      for (const variable of ['--mantine-font-family', '--mantine-font-family-headings'])
        document.documentElement.style.setProperty(variable, family)
    },
    [font, faces] as const,
  )
}

/**
 * Returns words that are broken over two lines although they are not long, and texts that are cut off: beyond the edge
 * of the window, or of something that does not scroll and shows no ellipsis.
 */
export const spoiltTexts = (page: Page) => page.evaluate(spoilt)

function spoilt(): string[] {
  const faults = new Set<string>()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement!
    if (!node.nodeValue?.trim() || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      continue
    if (isHidden(parent)) continue
    const range = document.createRange()
    for (const { 0: word, index } of node.nodeValue.replaceAll(/\S{18,}/g, blank).matchAll(/[\p{L}\p{N}]+/gu)) {
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const [first, ...others] = range.getClientRects()
      if (first && others.some(({ top }) => Math.abs(top - first.top) > first.height / 2)) faults.add(`broken: ${word}`)
    }
    range.selectNodeContents(node)
    const { left, right } = range.getBoundingClientRect()
    const edge = cutBy(parent)
    if (right > edge.right + 1 || left < edge.left - 1) faults.add(`cut: ${node.nodeValue.trim().slice(0, 40)}`)
  }
  return [...faults]

  /** Addresses and words that are longer than a line of a phone are broken. */
  function blank(long: string): string {
    return ' '.repeat(long.length)
  }

  /** What only screen readers read, and code, which scrolls. */
  function isHidden(element: Element): boolean {
    const own = element.closest('pre, code, textarea, [aria-hidden=true]')
    if (own) return true
    for (let each: Element | null = element; each; each = each.parentElement) {
      const { clipPath, clip, width } = getComputedStyle(each)
      if (clipPath === 'inset(50%)' || clip.startsWith('rect(0px') || width === '1px') return true
    }
    return false
  }

  /** The edges beyond which a text is not seen. */
  function cutBy(element: Element): { left: number; right: number } {
    for (let each: Element | null = element; each; each = each.parentElement) {
      const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(each)
      if (overflowX === 'auto' || overflowX === 'scroll') return { left: -Infinity, right: Infinity }
      if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') return { left: -Infinity, right: Infinity }
      if (overflowX === 'hidden' || overflowX === 'clip') return each.getBoundingClientRect()
    }
    return { left: 0, right: document.documentElement.clientWidth }
  }
}
