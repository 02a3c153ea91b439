import { CloseButton, Group } from '@mantine/core'
import type { Device } from '@sininho/sdk'
import { IconBellOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { devicesQuery } from '../../data/devices'
import { devices } from '../../i18n/push'
import { dayMs } from '../../lib/dates'
import { isHere } from '../../lib/push/registration'
import { dateLabel } from '../../lib/spans'
import { Moment } from '../../ui/Moment'
import ui from '../../ui/ui.module.css'
import { quietSince } from './quiet'

/** Says which other devices have shown nothing for long: one does not notice what does not arrive. */
export default function QuietDevices() {
  const { data = [] } = useQuery({ ...devicesQuery(), staleTime: dayMs })
  return data
    .filter((device) => !isHere(device) && quietSince(device))
    .map((device) => <QuietDevice key={device.id} device={device} />)
}

const keyOf = ({ id }: Device) => `sininho.quiet.${id}`

function QuietDevice({ device }: { device: Device }) {
  const { unshownSince = '' } = device
  const [hidden, setHidden] = useState(() => localStorage.getItem(keyOf(device)) === unshownSince)
  if (hidden) return null
  return (
    <Group className={ui.tile} wrap="nowrap" gap={8} mb={16} px={16} py={8}>
      <IconBellOff size={20} aria-hidden />
      <Link to="/settings/$section" params={{ section: 'devices' }} style={{ flex: 1 }}>
        <Moment at={unshownSince} label={(date) => devices.quietNotice(device.name, dateLabel(date))} />
      </Link>
      <CloseButton
        aria-label={devices.quietHide(device.name)}
        onClick={() => {
          localStorage.setItem(keyOf(device), unshownSince)
          setHidden(true)
        }}
      />
    </Group>
  )
}
