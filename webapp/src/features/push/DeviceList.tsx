import { Stack, Text } from '@mantine/core'
import type { Device } from '@sininho/sdk'
import { IconBellRinging } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { devicesQuery } from '../../data/devices'
import { devices } from '../../i18n/push'
import { isHere } from '../../lib/push/registration'
import { LinkButton } from '../../ui/LinkButton'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { DeviceRow } from './DeviceRow'
import ui from '../../ui/ui.module.css'

/** The devices that receive pushes, this one first, or a link to where this one is turned on. */
export function DeviceList() {
  const query = useQuery(devicesQuery())
  const list = useRef<HTMLDivElement>(null)
  const here = query.data?.some(isHere)
  return (
    <Stack gap={8}>
      <Text c="dimmed">{devices.text}</Text>
      <div ref={list} tabIndex={-1}>
        <Loaded query={query} skeleton={<BlockSkeleton height={68} />}>
          {(all) =>
            all.length === 0 ? (
              <Text variant="hint">{devices.empty}</Text>
            ) : (
              <ul className={ui.rows}>
                {thisFirst(all).map((device) => (
                  <DeviceRow key={device.id} device={device} onRemove={() => list.current?.focus()} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      {here === false && (
        <LinkButton
          to="/settings/$section"
          params={{ section: 'notifications' }}
          variant="default"
          style={{ alignSelf: 'start' }}
          leftSection={<IconBellRinging size={20} />}
        >
          {devices.addThis}
        </LinkButton>
      )}
    </Stack>
  )
}

const thisFirst = (all: Device[]) => [...all.filter(isHere), ...all.filter((device) => !isHere(device))]
