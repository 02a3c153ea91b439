import { Stack } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { studio } from '../../i18n/studio'
import { studioPageOf } from '../../lib/paths'
import { BackLink } from '../../ui/BackLink'
import { PageTitle } from '../../ui/PageTitle'
import { EditForm } from './EditForm'
import { Keeping } from './Keeping'
import { RemoveChannel } from './RemoveChannel'

/** Changes a channel, how much it keeps, and deletes it. */
export default function EditScreen({ channel, onRemoved }: { channel: Channel; onRemoved: () => void }) {
  return (
    <>
      <BackLink {...studioPageOf(channel)}>{channel.name}</BackLink>
      <PageTitle>{studio.edit.title}</PageTitle>
      <Stack gap={24}>
        <EditForm channel={channel} />
        <Keeping channel={channel} />
        <RemoveChannel channel={channel} onRemoved={onRemoved} />
      </Stack>
    </>
  )
}
