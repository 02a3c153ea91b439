import { Button, Group } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { words } from '../../i18n/words'
import classes from './feed.module.css'

export function ArrivedPill({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <Group
      role="status"
      align="stretch"
      wrap="nowrap"
      justify="center"
      gap={0}
      pos="sticky"
      top="calc(16px + env(safe-area-inset-top))"
      h={0}
      mb={-24}
      style={{ zIndex: 10 }}
    >
      {count > 0 && (
        <Button className={classes.pill} leftSection={<IconArrowUp size={18} aria-hidden />} onClick={onClick}>
          {words.feed.arrived(count)}
        </Button>
      )}
    </Group>
  )
}
