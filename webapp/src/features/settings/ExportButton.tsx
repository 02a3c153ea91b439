import { Button, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { settings } from '../../i18n/settings'
import { exportMutation } from './mutations'

export function ExportButton() {
  const save = useMutation(exportMutation())
  return (
    <Stack align="flex-start">
      <Text c="dimmed">{settings.account.exportText}</Text>
      <Button
        variant="default"
        leftSection={<IconDownload size={20} />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {settings.account.export}
      </Button>
    </Stack>
  )
}
