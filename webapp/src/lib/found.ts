import { plain } from './plain'

/** A word, or what is between two, and how much of its beginning was searched for. */
type Piece = { text: string; found: number }

/** Splits a text into its words and what is between them. Characters with accents are of one part each. */
const split = (text: string) =>
  text
    .normalize()
    .split(/([^\p{L}\p{N}]+)/u)
    .filter(Boolean)

/** Finds the beginnings of words that were searched for, as the server does. */
export function found(text: string, q: string): Piece[] {
  const wanted = split(q)
    .map(plain)
    .filter((each) => /[\p{L}\p{N}]/u.test(each))
  return split(text).map((word) => ({
    text: word,
    found: Math.max(0, ...wanted.filter((each) => plain(word).startsWith(each)).map((each) => each.length)),
  }))
}

/** Reports whether a text has a word that was searched for. */
export const hasFound = (text: string, q: string) => found(text, q).some((piece) => piece.found > 0)

/** Characters before the first match that are shown of a text, and how many more there must be to leave some out. */
const lead = 24
const least = 40

/** The text from shortly before the first word that was searched for, so that it is in sight. */
export function excerpt(text: string, q: string): string {
  const pieces = found(text, q)
  let at = pieces.findIndex((piece) => piece.found > 0)
  const before = (end: number) => pieces.slice(0, end).reduce((sum, piece) => sum + piece.text.length, 0)
  const end = before(at)
  if (at < 0 || end < lead + least) return text
  while (end - before(at) < lead) at--
  return `…${pieces
    .slice(at)
    .map((piece) => piece.text)
    .join('')
    .trimStart()}`
}
