import { Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { words } from '../i18n/words'
import { LinkButton } from './LinkButton'
import { EmptyState } from './EmptyState'

type Props = {
  suspended?: boolean
  /** What does not exist, if it is not a channel. */
  title?: string
  /** It is the whole page. */
  heading?: boolean
  /** Other ways on than to all channels. */
  children?: ReactNode
}

/** Says that the channel does not exist, or is suspended, and links to the others. */
const ChannelMissing = ({ suspended = false, title = words.channels.missing.title, heading, children }: Props) => (
  <EmptyState
    icon={<IconAlertTriangle />}
    title={suspended ? words.channels.suspended.title : title}
    text={suspended ? words.channels.suspended.text : words.channels.missing.text}
    role="alert"
    heading={heading}
  >
    <Group justify="center">
      {children}
      <LinkButton size="sm" to="/channels" variant="default">
        {words.channels.missing.action}
      </LinkButton>
    </Group>
  </EmptyState>
)

export default ChannelMissing
