import { Text } from '@mantine/core'
import type { Health } from '@sininho/sdk'
import { admin } from '../../i18n/admin'
import { number } from '../../i18n/words'
import { agoLabel } from '../../lib/spans'
import { Moment } from '../../ui/Moment'
import { DataTable } from './DataTable'

/** A server that stored no figures for this long has stopped, or cannot reach the database. */
const silentMs = 3 * 60_000

/** The servers and what each of them does. */
export function NodeTable({ nodes, until }: { nodes: Health['nodes']; until: number }) {
  return (
    <DataTable
      title={admin.health.nodes}
      columns={admin.health.nodeColumns}
      rows={nodes.map(({ name, seenAt, streams, requests, errors }) => [
        name,
        <Seen key="seen" at={seenAt} until={until} />,
        number(streams),
        number(requests),
        number(errors),
      ])}
    />
  )
}

function Seen({ at, until }: { at: string; until: number }) {
  return (
    <>
      <Moment at={at} label={(date) => agoLabel(date, new Date(until))} />
      {until - Date.parse(at) > silentMs && (
        <Text span inherit c="danger">
          {' '}
          · {admin.health.silent}
        </Text>
      )}
    </>
  )
}
