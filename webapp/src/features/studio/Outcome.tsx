import { SimpleGrid, Text } from '@mantine/core'
import type { Channel, Deliveries } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { outcomeQuery } from '../../data/studio'
import { studio } from '../../i18n/studio'
import { number } from '../../i18n/words'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { sum } from './figures'
import classes from './studio.module.css'

const words = studio.outcome

type Props = { channel: Channel; id: string; title: string }

/** What became of a notification: how many devices it reached, who saw and opened it, and what failed. It is live. */
export function Outcome({ channel, id, title }: Props) {
  const query = useQuery(outcomeQuery(channel, id))
  return (
    <section aria-label={studio.channel.becameOf(title)}>
      <Loaded query={query} skeleton={<BlockSkeleton height={64} />}>
        {(outcome) => <Numbers outcome={outcome} />}
      </Loaded>
    </section>
  )
}

const shown = ['accepted', 'pending', 'displayed', 'opened'] as const

function Numbers({ outcome }: { outcome: Deliveries }) {
  const silent = sum(outcome.suppressed)
  if (outcome.finished && outcome.targeted === 0) return <Text c="dimmed">{words.nobody}</Text>
  return (
    <>
      <SimpleGrid component="dl" cols={{ base: 2, xs: 4 }} spacing={8} m={0}>
        {shown
          .filter((name) => name !== 'pending' || outcome.pending > 0)
          .map((name) => (
            <div key={name} className={classes.figure}>
              <dt>{words[name]}</dt>
              <dd>{number(outcome[name])}</dd>
            </div>
          ))}
      </SimpleGrid>
      {silent > 0 && (
        <Text c="dimmed" fz="sm" mt={8}>
          {words.silent(silent)}
        </Text>
      )}
      {[outcome.failed, outcome.expired].flatMap(Object.entries<number>).map(([cause, count], index) => (
        <Text key={`${cause} ${index}`} c="dimmed" fz="sm" mt={8}>
          {words.failed(count, words.causes[cause] ?? words.otherCause)}
        </Text>
      ))}
    </>
  )
}
