import { Badge } from '@mantine/core'
import { demo } from '../../i18n/demo'
import { useOnline } from '../../ui/useOnline'

export function LiveBadge({ live }: { live: boolean }) {
  const online = useOnline()
  return (
    <Badge role="status" variant="dot" color={online && live ? 'green' : 'gray'} c="dimmed">
      {online ? (live ? demo.live : demo.connecting) : demo.disconnected}
    </Badge>
  )
}
