import { linkTarget } from './paths'

/** A piece of a text. With `href` it is a link, which leads nowhere but to what the piece says. */
export type Piece = { text: string; href?: string }

// Characters that do not show, or that change the direction of others: an address with one could say something else.
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

const address = String.raw`https?://[^\s<>"'«»“”„‘’]+`
const email = String.raw`[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}`
// with its country, or as Portugal and Brazil write theirs
const phone = [
  String.raw`\+\d(?:[ .-]?\(?\d+\)?){2,6}`,
  String.raw`\(\d{2}\) ?9?\d{4}-?\d{4}`,
  String.raw`[239]\d{2}[ .]\d{3}[ .]\d{3}`,
  String.raw`2\d[ .]\d{3}[ .]\d{2}[ .]\d{2}`,
].join('|')
const pieces = new RegExp(
  `(?<address>${address})|(?<email>${email})|(?<phone>(?<![\\w+.,/-])(?:${phone})(?![\\w/-]))`,
  'giu',
)

/** Splits a text at its addresses of pages, email addresses and phone numbers. `origin` is that of this app. */
export function linkify(text: string, origin: string): Piece[] {
  const found: Piece[] = []
  let end = 0
  for (const match of text.matchAll(pieces)) {
    const said = match.groups?.['address'] ? withoutEnding(match[0]) : match[0]
    const href = hrefOf(said, match.groups ?? {}, origin)
    if (!href) continue
    if (match.index > end) found.push({ text: text.slice(end, match.index) })
    found.push({ text: said, href })
    end = match.index + said.length
  }
  if (end < text.length) found.push({ text: text.slice(end) })
  return found
}

function hrefOf(said: string, groups: Record<string, string | undefined>, origin: string): string | undefined {
  if (groups['email']) return `mailto:${said}`
  if (groups['phone']) return phoneNumber(said)
  if (invisible.test(said) || !URL.canParse(said)) return undefined
  const url = new URL(said)
  const plain = !url.username && !url.password && url.hostname.includes('.')
  return plain && linkTarget(url, origin) !== 'refused' ? url.href : undefined
}

/** Numbers of 7 to 15 digits, the longest that exist. */
function phoneNumber(said: string): string | undefined {
  const digits = said.replaceAll(/[^\d+]/g, '')
  return /^\+?\d{7,15}$/.test(digits) ? `tel:${digits}` : undefined
}

/** Removes what ends the sentence rather than the address, such as a full stop, or a bracket that opens before it. */
function withoutEnding(said: string): string {
  let end = said.length
  for (; end > 0; end--) {
    const last = said[end - 1]!
    const closes = (last === ')' && !said.includes('(')) || (last === ']' && !said.includes('['))
    if (!closes && !/[.,;:!?…*_~]/.test(last)) break
  }
  return said.slice(0, end)
}
