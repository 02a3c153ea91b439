import { Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { settings } from '../../i18n/settings'
import { InstallSteps } from '../../ui/InstallSteps'
import { useInstall } from './useInstall'

const texts = settings.install

/** Installs the app where the browser offers it, and otherwise says how it is done. */
export function Install() {
  const { state, take } = useInstall()
  const done = state === 'installed' || state === 'accepted'
  return (
    <Stack align="flex-start">
      <Group wrap="nowrap" gap={16}>
        <img src="/icon-192.png" alt="" width={56} height={56} style={{ borderRadius: 14 }} />
        <Text role={done ? 'status' : undefined} c="dimmed">
          {done ? texts[state] : texts.why}
        </Text>
      </Group>
      {state === 'offered' && (
        <Button leftSection={<IconDownload size={20} />} loading={take.isPending} onClick={() => take.mutate()}>
          {texts.action}
        </Button>
      )}
      {state === 'apple' && <InstallSteps />}
      {state === 'elsewhere' && <Text c="dimmed">{texts.elsewhere}</Text>}
    </Stack>
  )
}
