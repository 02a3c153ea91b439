import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { words } from '../../i18n/words'
import classes from './feed.module.css'

export default function ArrivedPill({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <div role="status" className={classes.arrived}>
      {count > 0 && (
        <Button className={classes.pill} leftSection={<IconArrowUp size={18} aria-hidden />} onClick={onClick}>
          {words.feed.arrived(count)}
        </Button>
      )}
    </div>
  )
}
