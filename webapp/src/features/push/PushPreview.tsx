import { Box, Group, Paper, Text } from '@mantine/core'
import { usePush } from '../../data/usePush'
import { push } from '../../i18n/push'
import { words } from '../../i18n/words'
import { PushHints } from '../../ui/PushHints'

/** Shows what a notification looks like, and why push could not be turned on. */
export function PushPreview({ error }: { error: Error | null }) {
  const { state } = usePush()
  return (
    <>
      {(state === 'off' || state === 'on') && (
        <Box w="100%" py={24} px={16} bdrs={12} bg="var(--accent-soft)" aria-hidden>
          <Paper shadow="md" radius={16} maw={400} mx="auto" px={16} py={12} fz="sm">
            <Group wrap="nowrap" gap={12}>
              <img src="/icon-192.png" alt="" width={40} height={40} />
              <div>
                <Text c="dimmed" fz={13}>
                  {words.appName} · {push.preview.when}
                </Text>
                <Text fw={600}>{push.preview.title}</Text>
                <p>{push.preview.body}</p>
              </div>
            </Group>
          </Paper>
        </Box>
      )}
      <PushHints state={state} error={error} />
    </>
  )
}
