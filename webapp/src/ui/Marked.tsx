import { found } from '../lib/found'
import classes from './ui.module.css'

/** A text, in which the beginnings of words that were searched for are marked. */
export function Marked({ children, q }: { children: string; q: string | undefined }) {
  if (!q) return <>{children}</>
  const words = found(children, q).map(({ text, found: length }, index) => {
    if (length === 0) return text
    return (
      // oxlint-disable-next-line react/no-array-index-key -- the words have no other
      <span key={index}>
        <mark className={classes.mark}>{text.slice(0, length)}</mark>
        {text.slice(length)}
      </span>
    )
  })
  return <>{words}</>
}
