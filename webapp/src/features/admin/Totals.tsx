import { Paper, Stack, Text, Title } from '@mantine/core'
import type { Health } from '@sininho/sdk'
import type { ReactNode } from 'react'
import { admin } from '../../i18n/admin'
import { number } from '../../i18n/words'
import { DatedMoment } from '../../ui/DatedMoment'
import classes from './admin.module.css'

type Figures = Health['totals']
type Causes = Figures['failedLastDay']

const texts = admin.health.totals

/** Devices go every day: their failures are no fault of the installation. */
const everyday = ['unregistered', 'retired']

const causeOf = (cause: string) => admin.health.causeOf[cause] ?? cause
const sum = (causes: Causes) => Object.values(causes).reduce((total, count) => total + count, 0)
const list = (causes: Causes) =>
  Object.entries(causes)
    .toSorted(([, a], [, b]) => b - a)
    .map(([cause, count]) => texts.cause(count, causeOf(cause)))
    .join(', ')

/** What keeps the installation from reaching people, in sentences. */
function faultsOf({ failedLastHour, paused }: Figures): string[] {
  const faults = Object.fromEntries(Object.entries(failedLastHour).filter(([cause]) => !everyday.includes(cause)))
  const failed = sum(faults)
  return [
    ...paused.map(({ service, cause }) => texts.paused(service, causeOf(cause))),
    ...(failed > 0 ? [texts.failed(failed, list(faults))] : []),
  ]
}

/** Whom the installation reaches, after what keeps it from that. */
export function Totals({ totals }: { totals: Figures }) {
  const { people, withoutAccount, channels, privateChannels, devices, lastPushAt, failedLastDay } = totals
  const faults = faultsOf(totals)
  const failedInDay = sum(failedLastDay)
  return (
    <Paper component="section" withBorder p={16} aria-labelledby="totals">
      <Stack gap={8}>
        <Title id="totals" order={2} size="h3" c={faults.length > 0 ? 'danger' : undefined}>
          {faults.length > 0 ? texts.wrong : texts.title}
        </Title>
        {faults.map((fault) => (
          <Text key={fault}>{fault}</Text>
        ))}
        <dl className={classes.totals}>
          <Total name={texts.people} value={number(people)} more={texts.withoutAccount(withoutAccount)} />
          <Total name={texts.channels} value={number(channels)} more={texts.privateChannels(privateChannels)} />
          <Total name={texts.devices} value={number(devices)} />
          <Total name={texts.lastPush} value={lastPushAt ? <DatedMoment at={lastPushAt} /> : texts.noPush} />
          <Total
            name={texts.failedInDay}
            value={failedInDay > 0 ? number(failedInDay) : texts.none}
            more={list(failedLastDay)}
          />
        </dl>
      </Stack>
    </Paper>
  )
}

function Total({ name, value, more }: { name: string; value: ReactNode; more?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      {more && <dd>{more}</dd>}
    </div>
  )
}
