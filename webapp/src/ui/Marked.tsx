import { plain } from '../lib/plain'
import classes from './Marked.module.css'

/** A name, in which the beginnings of words that were searched for are marked. */
export function Marked({ children, q }: { children: string; q: string | undefined }) {
  if (!q) return children
  const wanted = wordsOf(q).map(plain)
  return wordsOf(children, true).map((word, index) => {
    const length = Math.max(0, ...wanted.filter((each) => plain(word).startsWith(each)).map((each) => each.length))
    if (length === 0) return word
    return (
      // oxlint-disable-next-line react/no-array-index-key -- the words have no other
      <span key={index}>
        <mark className={classes.mark}>{word.slice(0, length)}</mark>
        {word.slice(length)}
      </span>
    )
  })
}

/** Splits a text into its words, and what is between them if asked to. Characters with accents are of one part each. */
const wordsOf = (text: string, between = false) =>
  text
    .normalize()
    .split(between ? /([^\p{L}\p{N}]+)/u : /[^\p{L}\p{N}]+/u)
    .filter(Boolean)
