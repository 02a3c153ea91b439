import { Box, Group, Paper, Text } from '@mantine/core'

type Props = { app: string; when: string; icon: string; title: string; body: string; desktop?: boolean }

/** What a notification looks like on the screen of a phone that is locked, or in the corner of a computer's. */
export const LockScreen = ({ app, when, icon, title, body, desktop }: Props) => (
  <Box w="100%" pt={desktop ? 64 : 24} pb={desktop ? 12 : 24} px={16} bdrs={12} bg="var(--accent-soft)">
    <Paper shadow="md" radius={desktop ? 8 : 16} maw={400} ms="auto" me={desktop ? 0 : 'auto'} px={16} py={12} fz="sm">
      <Group wrap="nowrap" gap={12}>
        <img src={icon} alt="" width={40} height={40} style={{ borderRadius: 10 }} />
        <Box miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Text c="dimmed" fz={13} dir="auto">
            {app} · {when}
          </Text>
          <Text fw={600} fz="sm" lineClamp={2} dir="auto">
            {title}
          </Text>
          <Text fz="sm" lineClamp={3} dir="auto">
            {body}
          </Text>
        </Box>
      </Group>
    </Paper>
  </Box>
)
