import { IconArrowUp } from '@tabler/icons-react'
import { words } from '../../i18n/words'
import classes from './ArrivedPill.module.css'

export function ArrivedPill({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <div role="status" className={classes.place}>
      {count > 0 && (
        <button type="button" className={classes.pill} onClick={onClick}>
          <IconArrowUp size={18} aria-hidden />
          {words.feed.arrived(count)}
        </button>
      )}
    </div>
  )
}
