import { Flex, Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { foundPublishersQuery } from '../../data/publishers'
import { discovery } from '../../i18n/discovery'
import { words } from '../../i18n/words'
import { publisherPageOf } from '../../lib/paths'
import { avatarOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Marked } from '../../ui/Marked'
import ui from '../../ui/ui.module.css'
import classes from './channels.module.css'

/** The publishers that a search finds, in rows above the channels. Renders nothing when there are none. */
export function FoundPublishers({ q }: { q: string }) {
  const { data = [] } = useQuery({ ...foundPublishersQuery(q), placeholderData: keepPreviousData })
  if (data.length === 0) return null
  return (
    <Flex aria-labelledby="publishers" component="nav" gap={10} direction="column">
      <Text id="publishers" c="dimmed" fz="sm" fw={600}>
        {discovery.publishers}
      </Text>
      <div className={classes.list}>
        {data.map((publisher) => (
          <Link key={publisher.id} {...publisherPageOf(publisher.slug)} className={`${ui.row} ${classes.row}`}>
            <ChannelIcon icon={avatarOf(publisher)} name={publisher.name} size={48} />
            <Flex component="span" miw={0} lh={1.3} direction="column">
              <Text span truncate fw={650} dir="auto">
                <Marked q={q}>{publisher.name}</Marked>
              </Text>
              <Text span c="dimmed" fz="sm">
                {words.channels.found(publisher.channelCount)}
              </Text>
            </Flex>
            <IconChevronRight size={18} color="var(--mantine-color-dimmed)" aria-hidden />
          </Link>
        ))}
      </div>
    </Flex>
  )
}
