import { IconArrowUp } from '@tabler/icons-react'
import { pt } from '../../i18n/pt'
import classes from './ArrivedPill.module.css'

export function ArrivedPill({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <div role="status" className={classes.place}>
      {count > 0 && (
        <button type="button" className={classes.pill} onClick={onClick}>
          <IconArrowUp size={18} aria-hidden />
          {pt.feed.arrived(count)}
        </button>
      )}
    </div>
  )
}
