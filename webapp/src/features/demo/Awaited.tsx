import { Box, Flex, Paper, Stack, Text } from '@mantine/core'
import { demo } from '../../i18n/demo'
import { ChannelIcon } from '../../ui/ChannelIcon'
import type { DemoMessage } from './message'

/** In place of the arrivals while there are none: what the message will look like, as it is written. */
export function Awaited({ message: { title, body } }: { message: DemoMessage }) {
  return (
    <Stack p={16} bdrs={12} bg="var(--accent-soft)">
      <Paper display="flex" p="12px 14px" bd="1px dashed var(--accent)" style={{ gap: 12 }} aria-hidden>
        <ChannelIcon name={demo.title} size={44} />
        <Box flex={1} miw={0} fz={15}>
          <Flex component="p" justify="space-between" gap={16} c="dimmed" fz={13}>
            <span>{demo.title}</span>
            <span>{demo.preview}</span>
          </Flex>
          <Text truncate mih="1.4em" fw={600} dir="auto">
            {title}
          </Text>
          <Text lineClamp={2} dir="auto">
            {body}
          </Text>
        </Box>
      </Paper>
      <Box c="dimmed" fz={15} ta="center">
        <Text c="var(--mantine-color-text)" fw={600}>
          {demo.waiting.title}
        </Text>
        <p>{demo.waiting.text}</p>
      </Box>
    </Stack>
  )
}
