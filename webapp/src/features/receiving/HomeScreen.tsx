import { Paper, Text } from '@mantine/core'
import { useEffect } from 'react'
import { receive } from '../../i18n/receive'
import { InstallSteps } from '../../ui/InstallSteps'

type Props = {
  /** What the manifest is asked for, so that the app begins on what is to be received. */
  query: string
  /** What follows the steps. */
  after: string
}

/**
 * The steps by which an iPhone or iPad receives: it pushes to apps on the home screen alone. These share nothing with the
 * browser, so that what is to be received travels in the address at which the app begins.
 */
export default function HomeScreen({ query, after }: Props) {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
    const before = link?.href
    if (link) link.href = `/manifest.webmanifest?${query}`
    return () => {
      if (link && before) link.href = before
    }
  }, [query])
  return (
    <Paper withBorder w="100%" maw={440} p={16} radius={12} role="status" style={{ order: 1 }}>
      <Text fw={600}>{receive.steps}</Text>
      <InstallSteps />
      <Text c="dimmed">{after}</Text>
    </Paper>
  )
}
