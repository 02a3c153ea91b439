import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import type { Device } from '@sininho/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import { agoLabel } from '../../lib/dates'
import { ErrorPanel } from '../../ui/ErrorPanel'
import { ListSkeleton } from '../../ui/skeletons'
import { removeDeviceMutation, testDeviceMutation } from './mutations'
import { devicesQuery } from './queries'
import { installationId } from './registration'
import classes from './DeviceList.module.css'

export function DeviceList() {
  const { data, error, isPending, refetch } = useQuery(devicesQuery())
  if (isPending) return <ListSkeleton label={pt.loading} rows={1} tall={false} />
  if (error && !data) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  if (data.length === 0) return <p className={classes.empty}>{pt.devices.empty}</p>
  return (
    <ul className={classes.list}>
      {data.map((device) => (
        <DeviceRow key={device.id} device={device} />
      ))}
    </ul>
  )
}

function DeviceRow({ device }: { device: Device }) {
  const test = useMutation(testDeviceMutation())
  const remove = useMutation(removeDeviceMutation())
  const here = device.installationId === installationId()
  const Icon = /Android|iPhone|iPad/.test(device.name) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={classes.row}>
      <Icon aria-hidden className={classes.icon} />
      <div className={classes.text}>
        <p className={classes.name}>{device.name}</p>
        <p className={classes.seen}>
          {here ? pt.devices.current : pt.devices.lastSeen(agoLabel(new Date(device.lastSeenAt)))}
        </p>
      </div>
      <div className={classes.actions}>
        <Button
          variant="default"
          aria-label={pt.devices.testName(device.name)}
          loading={test.isPending}
          onClick={() => test.mutate(device.id)}
        >
          {pt.devices.test}
        </Button>
        {!here && (
          <Button
            variant="subtle"
            color="red.9"
            className={classes.remove}
            aria-label={pt.devices.removeName(device.name)}
            loading={remove.isPending}
            onClick={() => remove.mutate(device.id)}
          >
            {pt.devices.remove}
          </Button>
        )}
      </div>
    </li>
  )
}
