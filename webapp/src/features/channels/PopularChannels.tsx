import { Flex, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { suggestedQuery } from '../../data/channels'
import { words } from '../../i18n/words'
import { pageOf } from '../../lib/paths'
import { iconOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Loaded } from '../../ui/Loaded'
import { ListSkeleton } from '../../ui/skeletons'
import ui from '../../ui/ui.module.css'

/** Renders nothing when there are no channels. */
export function PopularChannels() {
  const query = useQuery(suggestedQuery())
  if (query.data?.length === 0) return null
  return (
    <Stack component="section" pt="2.5rem" aria-labelledby="popular">
      <Group justify="space-between" gap="0 16px">
        <Title id="popular" order={2}>
          {words.index.popular}
        </Title>
        <Link to="/channels" className={ui.link}>
          {words.index.all}
        </Link>
      </Group>
      <Loaded query={query} skeleton={<ListSkeleton rows={3} />}>
        {(channels) => (
          <ul className={ui.tiles} data-wide>
            {channels.map((channel) => (
              <li key={channel.id}>
                <Link {...pageOf(channel)} className={`${ui.tile} ${ui.side}`}>
                  <ChannelIcon icon={iconOf(channel)} name={channel.name} size={56} />
                  <Flex component="span" miw={0} direction="column">
                    <Text span truncate fz={17} fw={650}>
                      {channel.name}
                    </Text>
                    <Text span lineClamp={2} c="dimmed" fz={15}>
                      {channel.description}
                    </Text>
                  </Flex>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Stack>
  )
}
