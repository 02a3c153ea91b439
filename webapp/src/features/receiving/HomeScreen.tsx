import { Paper, Text } from '@mantine/core'
import { useEffect } from 'react'
import { receive } from '../../i18n/receive'
import { InstallSteps } from '../../ui/InstallSteps'
import { type ChannelAddress, formatChannel } from '../../lib/paths'

/**
 * The steps by which an iPhone or iPad receives: it pushes to apps on the home screen alone. These share nothing with the
 * browser, so that the channel travels in the address at which the app begins.
 */
export default function HomeScreen({ channel }: { channel: ChannelAddress }) {
  const start = formatChannel(channel)
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
    const before = link?.href
    if (link) link.href = `/manifest.webmanifest?receive=${start}`
    return () => {
      if (link && before) link.href = before
    }
  }, [start])
  return (
    <Paper withBorder w="100%" maw={440} p={16} radius={12} role="status" style={{ order: 1 }}>
      <Text fw={600}>{receive.steps}</Text>
      <InstallSteps />
      <Text c="dimmed">{receive.after}</Text>
    </Paper>
  )
}
