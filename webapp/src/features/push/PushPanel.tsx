import { Button, Stack, Text } from '@mantine/core'
import { IconBellOff, IconBellRinging } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { enablePushMutation } from '../../data/enable-push'
import { usePush } from '../../data/usePush'
import { push } from '../../i18n/push'
import { disablePushMutation } from './mutations'
import { PushPreview } from './PushPreview'

/** Shows a sample notification and turns push on or off, or explains why push is not possible here. */
export function PushPanel() {
  const { state, device } = usePush()
  const enable = useMutation(enablePushMutation())
  const disable = useMutation(disablePushMutation())
  return (
    <Stack align="flex-start">
      <Text c="dimmed">{device ? push.enabled : push.text}</Text>
      <PushPreview error={enable.error} />
      {device ? (
        <Button
          variant="default"
          leftSection={<IconBellOff size={20} />}
          loading={disable.isPending}
          onClick={() => disable.mutate(device.id)}
        >
          {push.disable}
        </Button>
      ) : (
        state === 'off' && (
          <Button
            leftSection={<IconBellRinging size={20} />}
            loading={enable.isPending}
            onClick={() => enable.mutate()}
          >
            {push.enable}
          </Button>
        )
      )}
    </Stack>
  )
}
