import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { words } from '../../i18n/words'
import classes from './channels.module.css'

/** Placeholder for a list of channels, with rows of their height. */
export const ChannelListSkeleton = ({ rows = 8, joined }: { rows?: number; joined?: boolean }) => (
  <div aria-busy="true">
    <VisuallyHidden role="status">{words.loading}</VisuallyHidden>
    <div className={classes.list} data-joined={joined} aria-hidden>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.row}>
          <Skeleton width={48} height={48} radius={12} />
          <Stack gap={8} pt={4}>
            <Skeleton height={14} width={row % 2 ? '48%' : '60%'} />
            <Skeleton height={12} width={row % 2 ? '80%' : '66%'} />
          </Stack>
          <Skeleton width={84} height={34} radius={17} />
        </div>
      ))}
    </div>
  </div>
)
