import { Box, Flex, Text } from '@mantine/core'
import { words } from '../i18n/words'
import classes from './ui.module.css'

/** Illustration: a notification arrives on a wall of azulejos, without motion if the person prefers that. */
export function ArrivingNotification() {
  const { channel, title, body, time } = words.index.example
  return (
    <div className={classes.wall} aria-hidden>
      <div className={classes.arriving}>
        <img src="/channels/metro.png" alt="" width={48} height={48} style={{ borderRadius: 12 }} />
        <Box flex={1} fz={15}>
          <Flex component="p" justify="space-between" c="dimmed" fz="sm">
            {channel} <span>{time}</span>
          </Flex>
          <Text fw={700}>{title}</Text>
          <p>{body}</p>
        </Box>
      </div>
    </div>
  )
}
