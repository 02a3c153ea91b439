/** A part of a text: a heading, a paragraph, or a list. */
export type Block =
  | { kind: 'heading'; level: 2 | 3; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; ordered: boolean; items: string[] }

/** A part of a line: `bold`, a link to `href`, or as it is. */
export type Span = { text: string; bold?: boolean; href?: string }

const heading = /^(#{1,6})\s+(.+?)(?:\s+#+)?$/
const item = /^(?:[-*+]|(\d+)[.)])\s+(.+)$/

/**
 * Reads the part of Markdown that policies need: headings, paragraphs, lists, bold, and links. All else, HTML too, is
 * text. A heading of level 1 on the first line is the title.
 */
export function readMarkdown(text: string): { title?: string; blocks: Block[] } {
  const blocks: Block[] = []
  let title: string | undefined
  let open: Block | undefined // the next line may continue it
  for (const line of text
    .trim()
    .split(/\r?\n/)
    .map((each) => each.trim())) {
    const [, marks, words] = heading.exec(line) ?? []
    const [, number, entry] = item.exec(line) ?? []
    if (!line) open = undefined
    else if (marks && words) {
      if (marks === '#' && title === undefined && blocks.length === 0) title = words
      else blocks.push({ kind: 'heading', level: marks.length > 2 ? 3 : 2, text: words })
      open = undefined
    } else if (entry) {
      const ordered = number !== undefined
      const last = blocks.at(-1)
      // blank lines between items do not begin another list
      if (last?.kind === 'list' && last.ordered === ordered) last.items.push(entry)
      else blocks.push({ kind: 'list', ordered, items: [entry] })
      open = blocks.at(-1)
    } else if (open?.kind === 'paragraph') open.text += ` ${line}`
    else if (open?.kind === 'list') open.items.push(`${open.items.pop()} ${line}`)
    else blocks.push((open = { kind: 'paragraph', text: line }))
  }
  return { title, blocks }
}

const marked = /\*\*(?<bold>[^*]+)\*\*|\[(?<words>[^\]]+)\]\((?<address>[^()\s]+)\)/g

/** Splits a line at its bold words and links. */
export function readSpans(line: string): Span[] {
  const spans: Span[] = []
  let end = 0
  for (const match of line.matchAll(marked)) {
    const { bold, words, address } = match.groups ?? {}
    const href = address && safeHref(address)
    if (!bold && !href) continue
    if (match.index > end) spans.push({ text: line.slice(end, match.index) })
    spans.push(bold ? { text: bold, bold: true } : { text: words!, href })
    end = match.index + match[0].length
  }
  if (end < line.length) spans.push({ text: line.slice(end) })
  return spans
}

/** Returns where a link may lead: to a page, to an email address, or within this site. */
function safeHref(address: string): string | undefined {
  if (/^\/(?![/\\])/.test(address)) return address
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return ['https:', 'http:', 'mailto:', 'tel:'].includes(url.protocol) ? url.href : undefined
}
