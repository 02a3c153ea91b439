import { Children, type ReactNode } from 'react'
import classes from './ui.module.css'

/** What is known of something, part by part. No line begins or ends with what separates the parts. */
export function Meta({
  sentence,
  children,
}: {
  /** Begins with a capital. */ sentence?: boolean
  children: ReactNode
}) {
  return (
    <span className={classes.meta} data-sentence={sentence || undefined}>
      {Children.toArray(children).map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts have no identity
        <span key={index} className={classes.part}>
          {index > 0 && <span className={classes.dot}> · </span>}
          {part}
        </span>
      ))}
    </span>
  )
}
