import { Skeleton } from './Skeleton'
import { VisuallyHidden } from './VisuallyHidden'
import classes from './skeletons.module.css'

/** Placeholder for a loading list of cards, of about their height. */
export function ListSkeleton({ label, rows = 4, tall = true }: { label: string; rows?: number; tall?: boolean }) {
  return (
    <div className={classes.list} aria-busy="true">
      <VisuallyHidden role="status">{label}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.card} aria-hidden>
          <Skeleton width={48} height={48} radius={12} />
          <div className={classes.lines}>
            <Skeleton height={12} width="36%" />
            <Skeleton height={14} width={row % 2 ? '62%' : '78%'} />
            {tall && <Skeleton height={12} width={row % 2 ? '90%' : '54%'} />}
          </div>
        </div>
      ))}
    </div>
  )
}

/** Placeholder of a known height. */
export function BlockSkeleton({ label, height }: { label: string; height: number }) {
  return (
    <div aria-busy="true">
      <VisuallyHidden role="status">{label}</VisuallyHidden>
      <Skeleton height={height} radius={12} />
    </div>
  )
}
