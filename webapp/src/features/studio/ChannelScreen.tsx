import type { Channel } from '@sininho/sdk'
import { Drafts } from './Drafts'
import { Published } from './Published'
import { Scheduled } from './Scheduled'
import { StudioHeader } from './StudioHeader'
import { Templates } from './Templates'

type Props = { channel: Channel; opened?: string; onOpen: (id: string | undefined) => void }

/** What a channel is going to publish, and what became of what it has published. */
export const ChannelScreen = ({ channel, opened, onOpen }: Props) => (
  <>
    <StudioHeader channel={channel} />
    <Drafts channel={channel} />
    <Scheduled channel={channel} />
    <Published channel={channel} opened={opened} onOpen={onOpen} />
    <Templates channel={channel} />
  </>
)
