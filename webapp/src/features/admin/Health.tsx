import { Flex, Group, NativeSelect } from '@mantine/core'
import { IconClockHour4 } from '@tabler/icons-react'
import type { Health as Figures, HealthPart } from '@sininho/sdk'
import { useQuery } from '@tanstack/react-query'
import { healthQuery } from '../../data/health'
import { admin } from '../../i18n/admin'
import { EmptyState } from '../../ui/EmptyState'
import { Loaded } from '../../ui/Loaded'
import { Plot } from '../../ui/Plot'
import { BlockSkeleton } from '../../ui/skeletons'
import { CauseTable } from './CauseTable'
import { Choice } from '../../ui/Choice'
import classes from './admin.module.css'
import { NodeTable } from './NodeTable'
import { StorageTable } from './StorageTable'
import { Totals } from './Totals'
import { type ScreenProps, oneOf } from './search'

const initial = '24'

/** How queue, pushes and streams were in the last hours. */
export function Health({ search, onSearch }: ScreenProps) {
  const { node } = search
  const hours = oneOf(admin.health.periods, search.hours, initial)
  const query = useQuery(healthQuery({ hours: Number(hours), node }))
  const names = query.data?.nodes.map(({ name }) => name) ?? []
  return (
    <>
      {query.data && <Totals totals={query.data.totals} />}
      <Group gap="8px 16px">
        <Choice
          label={admin.health.period}
          options={admin.health.periods}
          value={hours}
          onChange={(value) => onSearch({ ...search, hours: value === initial ? undefined : value })}
        />
        <NativeSelect
          aria-label={admin.health.node}
          value={node ?? ''}
          onChange={(event) => onSearch({ ...search, node: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: admin.health.allNodes },
            ...(node && !names.includes(node) ? [node] : []),
            ...names,
          ]}
        />
      </Group>
      <Loaded query={query} skeleton={<BlockSkeleton height={640} />}>
        {(health) => <Shown health={health} />}
      </Loaded>
    </>
  )
}

function Shown({ health }: { health: Figures }) {
  return (
    <>
      <Flex component="p" wrap="wrap" gap="4px 24px">
        <strong>{admin.health.now}</strong>
        <span>
          {admin.health.queue(health.queue.jobs)}
          {health.queue.jobs > 0 && `, ${admin.health.oldest(admin.health.seconds(health.queue.oldestSeconds))}`}
        </span>
        <span>{admin.health.events(health.queue.events)}</span>
      </Flex>
      {health.parts.length === 0 ? (
        <EmptyState icon={<IconClockHour4 />} title={admin.health.empty} />
      ) : (
        <>
          <Plots health={health} />
          <CauseTable parts={health.parts} />
        </>
      )}
      <StorageTable />
      {health.nodes.length > 0 && <NodeTable nodes={health.nodes} until={Date.parse(health.until)} />}
    </>
  )
}

const sum = (causes: Record<string, number>) => Object.values(causes).reduce((total, count) => total + count, 0)

function Plots({ health: { from, until, partSeconds, parts } }: { health: Figures }) {
  const { plots, series, seconds, timeUnit } = admin.health
  const frame = {
    from: Date.parse(from),
    until: Date.parse(until),
    part: partSeconds * 1000,
    times: parts.map(({ at }) => Date.parse(at)),
  }
  const line = (name: string, of: (part: HealthPart) => number) => ({ name, values: parts.map(of) })
  return (
    <div className={classes.plots}>
      <Plot title={plots.queue} {...frame} series={[line(series.jobs, ({ jobs }) => jobs)]} />
      <Plot
        title={plots.oldest}
        {...frame}
        series={[line(series.oldest, ({ oldestSeconds }) => oldestSeconds)]}
        format={seconds}
        unitOf={timeUnit}
      />
      <Plot
        title={plots.pushes}
        {...frame}
        summed
        series={[
          line(series.accepted, ({ accepted }) => accepted),
          line(series.failed, ({ failed }) => sum(failed)),
          line(series.expired, ({ expired }) => sum(expired)),
          line(series.retried, ({ retried }) => sum(retried)),
        ]}
      />
      <Plot title={plots.published} {...frame} summed series={[line(series.published, ({ published }) => published)]} />
      <Plot title={plots.streams} {...frame} series={[line(series.streams, ({ streams }) => streams)]} />
      <Plot
        title={plots.requests}
        {...frame}
        summed
        series={[line(series.requests, ({ requests }) => requests), line(series.errors, ({ errors }) => errors)]}
      />
      <Plot title={plots.events} {...frame} series={[line(series.events, ({ events }) => events)]} />
    </div>
  )
}
