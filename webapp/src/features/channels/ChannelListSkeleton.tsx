import { words } from '../../i18n/words'
import { Skeleton } from '../../ui/Skeleton'
import { VisuallyHidden } from '../../ui/VisuallyHidden'
import classes from './ChannelList.module.css'

/** Placeholder for a list of channels, with rows of their height. */
export const ChannelListSkeleton = ({ rows = 8, joined }: { rows?: number; joined?: boolean }) => (
  <div aria-busy="true">
    <VisuallyHidden role="status">{words.loading}</VisuallyHidden>
    <div className={classes.list} data-joined={joined} aria-hidden>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.row}>
          <Skeleton width={48} height={48} radius={12} />
          <div className={classes.lines}>
            <Skeleton height={14} width={row % 2 ? '48%' : '60%'} />
            <Skeleton height={12} width={row % 2 ? '80%' : '66%'} />
          </div>
          <Skeleton width={84} height={34} radius={17} />
        </div>
      ))}
    </div>
  </div>
)
