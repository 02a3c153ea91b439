import { ActionIcon, Box, Button, Flex, Group, Text } from '@mantine/core'
import type { Device } from '@sininho/sdk'
import { IconDeviceDesktop, IconDeviceMobile, IconPencil } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { devices } from '../../i18n/push'
import { agoLabel, dateLabel } from '../../lib/spans'
import { isHere } from '../../lib/push/registration'
import { ConfirmButton } from '../../ui/ConfirmButton'
import { Moment } from '../../ui/Moment'
import { DeviceNameForm } from './DeviceNameForm'
import { removeDeviceMutation, testDeviceMutation } from './mutations'
import { quietSince } from './quiet'
import { TestShown } from './TestShown'

type Props = { device: Device; onRemove: () => void }

/** The current device has no remove action: it is turned off where it was turned on. */
export function DeviceRow({ device, onRemove }: Props) {
  const test = useMutation(testDeviceMutation())
  const remove = useMutation(removeDeviceMutation())
  const [renaming, setRenaming] = useState(false)
  const here = isHere(device)
  const Icon = /Android|iPhone|iPad/.test(device.name) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <Flex component="li" wrap="wrap" align="center" gap="8px 16px" py={12}>
      <Icon aria-hidden color="var(--mantine-color-dimmed)" />
      {renaming ? (
        <DeviceNameForm device={device} onDone={() => setRenaming(false)} />
      ) : (
        <>
          <Box flex="1 1 180px" miw={0}>
            <Text fw={550}>
              {device.name}
              <ActionIcon
                color="brand"
                my={-10}
                style={{ verticalAlign: 'middle' }}
                aria-label={devices.rename(device.name)}
                onClick={() => setRenaming(true)}
              >
                <IconPencil size={18} />
              </ActionIcon>
            </Text>
            {here ? (
              <Text c="brand" fz="sm" fw={550}>
                {devices.current}
              </Text>
            ) : (
              <Text variant="hint">
                <Moment at={device.lastSeenAt} label={(date) => devices.lastSeen(agoLabel(date))} />
              </Text>
            )}
            <RingsSince device={device} />
          </Box>
          <Group align="stretch">
            <Button
              size="sm"
              variant="default"
              aria-label={devices.testName(device.name)}
              loading={test.isPending}
              onClick={() => test.mutate(device)}
            >
              {devices.test}
            </Button>
            {!here && (
              <ConfirmButton
                size="sm"
                variant="subtle"
                color="danger"
                aria-label={devices.removeName(device.name)}
                question={devices.removeQuestion(device.name)}
                text={devices.removeText}
                onConfirm={() => {
                  onRemove()
                  remove.mutate(device.id)
                }}
              >
                {devices.remove}
              </ConfirmButton>
            )}
          </Group>
          {test.isSuccess && device.platform === 'web' && (
            <TestShown key={test.submittedAt} device={device} before={test.variables.shownAt} />
          )}
        </>
      )}
    </Flex>
  )
}

/** What is known of whether the device rings. */
function RingsSince({ device }: { device: Device }) {
  const { ringsSince, shownAt, unshownSince } = device
  if (unshownSince && quietSince(device)) {
    return (
      <Text fz="sm" c="danger" fw={550}>
        <Moment at={unshownSince} label={(date) => devices.quiet(dateLabel(date))} />
      </Text>
    )
  }
  const at = shownAt ?? ringsSince
  const label = shownAt ? devices.shown : devices.ringsSince
  return <Text variant="hint">{at ? <Moment at={at} label={(date) => label(dateLabel(date))} /> : devices.silent}</Text>
}
