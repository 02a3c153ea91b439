import { Button, SimpleGrid, Stack, Text } from '@mantine/core'
import type { Channel, ChannelAudience, ChannelDeliveries } from '@sininho/sdk'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { followersQuery, isWeek } from '../../data/followers'
import { numbersQuery } from '../../data/numbers'
import { discovery } from '../../i18n/discovery'
import { numbers as words } from '../../i18n/numbers'
import { number } from '../../i18n/words'
import { csvOf } from '../../lib/csv'
import { saveFile } from '../../lib/file'
import { studioPageOf } from '../../lib/paths'
import { BackLink } from '../../ui/BackLink'
import { FollowerPlot } from '../../ui/FollowerPlot'
import { Loaded } from '../../ui/Loaded'
import { PageTitle } from '../../ui/PageTitle'
import { BlockSkeleton } from '../../ui/skeletons'
import { followersTable, pushesTable } from './figures'
import { OpenedMost } from './OpenedMost'
import { Pushes } from './Pushes'
import { Section } from './Section'
import classes from './studio.module.css'

/** The followers of a channel, what became of its pushes, and what was opened most. */
export default function Numbers({ channel }: { channel: Channel }) {
  const numbers = useQuery(numbersQuery(channel))
  const followers = useQuery(followersQuery(channel))
  return (
    <>
      <BackLink {...studioPageOf(channel)}>{channel.name}</BackLink>
      <Stack gap={8}>
        <PageTitle>{words.title}</PageTitle>
        <Text c="dimmed">{words.text}</Text>
      </Stack>
      <Loaded query={numbers} skeleton={<BlockSkeleton height={120} />}>
        {({ audience }) => <Now audience={audience} />}
      </Loaded>
      <Loaded query={followers} skeleton={<BlockSkeleton height={240} />}>
        {(days) =>
          isWeek(days) ? (
            <div>
              <FollowerPlot days={days} />
              <Save
                title={discovery.followers.title}
                file={`${channel.slug}-${words.followersFile}.csv`}
                table={() => followersTable(days)}
              />
            </div>
          ) : (
            <Text c="dimmed">{words.tooNew}</Text>
          )
        }
      </Loaded>
      <Loaded query={numbers} skeleton={<BlockSkeleton height={240} />}>
        {(data) => <Became channel={channel} data={data} />}
      </Loaded>
      <OpenedMost channel={channel} />
    </>
  )
}

function Became({ channel, data }: { channel: Channel; data: ChannelDeliveries }) {
  return (
    <div>
      <Pushes numbers={data} />
      <Save title={words.pushes} file={`${channel.slug}-${words.pushesFile}.csv`} table={() => pushesTable(data)} />
    </div>
  )
}

function Now({ audience }: { audience: ChannelAudience }) {
  return (
    <Section title={words.now}>
      <SimpleGrid component="dl" type="container" cols={{ base: 1, '17rem': 3 }} spacing={12} m={0}>
        {(['followers', 'ringing', 'ringingImportant'] as const).map((name) => (
          <div key={name} className={classes.figure}>
            <dt>{words[name]}</dt>
            <dd>{number(audience[name])}</dd>
          </div>
        ))}
      </SimpleGrid>
      {audience.estimated && (
        <Text c="dimmed" fz="sm">
          {words.estimated}
        </Text>
      )}
    </Section>
  )
}

type SaveProps = { title: string; file: string; table: () => readonly (readonly (string | number)[])[] }

/** Saves the numbers of a plot as a file. */
const Save = ({ title, file, table }: SaveProps) => (
  <Button
    size="sm"
    variant="subtle"
    mt={8}
    ms={-12}
    px={12}
    leftSection={<IconDownload size={16} aria-hidden />}
    aria-label={words.saveOf(title)}
    onClick={() => saveFile(file, csvOf(table()), 'text/csv')}
  >
    {words.save}
  </Button>
)
