import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { pt } from '../i18n/pt'
import { EmptyState } from './EmptyState'

/** Says that the channel does not exist and links to the others. */
export const ChannelMissing = () => (
  <EmptyState
    icon={<IconAlertTriangle />}
    title={pt.channels.missing.title}
    text={pt.channels.missing.text}
    role="alert"
  >
    <Button component={Link} to="/channels" variant="default">
      {pt.channels.missing.action}
    </Button>
  </EmptyState>
)
