import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { devicesQuery } from '../../data/devices'
import { devices } from '../../i18n/push'
import { pt } from '../../i18n/pt'
import { installationId } from '../../lib/push/registration'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { DeviceRow } from './DeviceRow'
import classes from './DeviceList.module.css'

export function DeviceList() {
  const query = useQuery(devicesQuery())
  const list = useRef<HTMLDivElement>(null)
  return (
    <div ref={list} tabIndex={-1} className={classes.devices}>
      <Loaded query={query} skeleton={<BlockSkeleton label={pt.loading} height={68} />}>
        {(all) =>
          all.length === 0 ? (
            <p className={classes.empty}>{devices.empty}</p>
          ) : (
            <ul>
              {thisFirst(all).map((device) => (
                <DeviceRow key={device.id} device={device} onRemove={() => list.current?.focus()} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  )
}

const thisFirst = <T extends { installationId: string }>(devices: T[]) => {
  const here = (device: T) => device.installationId === installationId()
  return [...devices.filter(here), ...devices.filter((device) => !here(device))]
}
