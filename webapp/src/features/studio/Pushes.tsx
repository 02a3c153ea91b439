import { Text } from '@mantine/core'
import type { ChannelDeliveries } from '@sininho/sdk'
import { numbers as words } from '../../i18n/numbers'
import { dayMs } from '../../lib/dates'
import { noonOf } from '../../ui/FollowerPlot'
import { Plot } from '../../ui/Plot'
import { causesOf, daysOf, failedOf, reasonOf, sum } from './figures'
import { Section } from './Section'
import classes from './studio.module.css'

/** What became of the pushes of a channel by day, and why some did not ring. */
export function Pushes({ numbers }: { numbers: ChannelDeliveries }) {
  const days = daysOf(numbers)
  const times = days.map(({ day }) => noonOf(day))
  const causes = causesOf(numbers.total)
  if (numbers.data.length === 0) return <Text c="dimmed">{words.none}</Text>
  return (
    <>
      <Plot
        title={words.pushes}
        from={times[0]!}
        until={times.at(-1)!}
        part={dayMs}
        times={times}
        series={[
          { name: words.accepted, values: days.map(({ counts }) => counts?.accepted ?? 0) },
          { name: words.failed, values: days.map(({ counts }) => (counts ? failedOf(counts) : 0)) },
          { name: words.silent, values: days.map(({ counts }) => (counts ? sum(counts.suppressed) : 0)) },
        ]}
        summed
        daily
      />
      {causes.length > 0 && (
        <Section title={words.why}>
          <ul>
            {causes.map(({ outcome, cause, devices }) => (
              <li key={`${outcome} ${cause}`} className={classes.cause}>
                <span>{reasonOf(cause, outcome)}</span>
                <span>{words.devices(devices)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
