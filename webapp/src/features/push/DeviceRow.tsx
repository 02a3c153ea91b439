import { ActionIcon } from '@mantine/core'
import type { Device } from '@sininho/sdk'
import { IconDeviceDesktop, IconDeviceMobile, IconPencil } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { devices } from '../../i18n/push'
import { agoLabel, dateLabel } from '../../lib/dates'
import { isHere } from '../../lib/push/registration'
import { Button } from '../../ui/Button'
import { Confirm } from '../../ui/Confirm'
import { DeviceNameForm } from './DeviceNameForm'
import { removeDeviceMutation, testDeviceMutation } from './mutations'
import classes from './DeviceList.module.css'

type Props = { device: Device; onRemove: () => void }

/** The current device has no remove action: it is turned off where it was turned on. */
export function DeviceRow({ device, onRemove }: Props) {
  const test = useMutation(testDeviceMutation())
  const remove = useMutation(removeDeviceMutation(useQueryClient()))
  const [doing, setDoing] = useState<'rename' | 'remove'>()
  const here = isHere(device)
  const Icon = /Android|iPhone|iPad/.test(device.name) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={classes.row}>
      <Icon aria-hidden className={classes.icon} />
      {doing === 'rename' ? (
        <DeviceNameForm device={device} onDone={() => setDoing(undefined)} />
      ) : (
        <>
          <div className={classes.text}>
            <p className={classes.name}>
              {device.name}
              <ActionIcon
                variant="subtle"
                size={44}
                className={classes.pencil}
                aria-label={devices.rename(device.name)}
                onClick={() => setDoing('rename')}
              >
                <IconPencil size={18} />
              </ActionIcon>
            </p>
            {here ? (
              <p className={classes.here}>{devices.current}</p>
            ) : (
              <p className={classes.seen}>{devices.lastSeen(agoLabel(new Date(device.lastSeenAt)))}</p>
            )}
            <p className={classes.seen}>
              {device.ringsSince ? devices.ringsSince(dateLabel(new Date(device.ringsSince))) : devices.silent}
            </p>
          </div>
          <div className={classes.actions}>
            <Button
              variant="default"
              aria-label={devices.testName(device.name)}
              loading={test.isPending}
              onClick={() => test.mutate(device.id)}
            >
              {devices.test}
            </Button>
            {!here && (
              <Button
                variant="subtle"
                danger
                className={classes.remove}
                aria-label={devices.removeName(device.name)}
                onClick={() => setDoing('remove')}
              >
                {devices.remove}
              </Button>
            )}
          </div>
        </>
      )}
      {doing === 'remove' && (
        <Confirm
          question={devices.removeQuestion(device.name)}
          text={devices.removeText}
          action={devices.remove}
          onClose={() => setDoing(undefined)}
          onConfirm={() => {
            onRemove()
            remove.mutate(device.id)
          }}
        />
      )}
    </li>
  )
}
