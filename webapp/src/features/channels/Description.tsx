import { useState } from 'react'
import { words } from '../../i18n/words'
import classes from './Description.module.css'

/** Characters. A longer text is collapsed. */
const long = 280

/** What a channel or publisher says about itself. */
export function Description({ children }: { children: string }) {
  const [unfolded, setUnfolded] = useState(false)
  if (!children) return null
  const folded = children.length > long && !unfolded
  return (
    <>
      <p className={classes.description} data-folded={folded || undefined} dir="auto">
        {children}
      </p>
      {children.length > long && (
        <button type="button" className={classes.more} aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          {unfolded ? words.feed.less : words.feed.more}
        </button>
      )}
    </>
  )
}
