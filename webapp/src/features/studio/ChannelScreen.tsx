import type { Channel } from '@sininho/sdk'
import { Drafts } from './Drafts'
import { Published } from './Published'
import { Scheduled } from './Scheduled'
import { StudioHeader } from './StudioHeader'
import { Repeating, Templates } from './Templates'

type Props = { channel: Channel; opened?: string; onOpen: (id: string | undefined) => void }

/** What a channel is going to publish, and what became of what it has published. */
export default function ChannelScreen({ channel, opened, onOpen }: Props) {
  return (
    <>
      <StudioHeader channel={channel} />
      <Drafts channel={channel} />
      <Scheduled channel={channel} />
      <Repeating channel={channel} />
      <Published channel={channel} opened={opened} onOpen={onOpen} />
      <Templates channel={channel} />
    </>
  )
}
