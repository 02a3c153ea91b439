import type { Health } from '@sininho/sdk'
import { admin } from '../../i18n/admin'
import { number } from '../../i18n/words'
import { agoLabel } from '../../lib/dates'
import shared from './admin.module.css'

/** A server that stored no figures for this long has stopped, or cannot reach the database. */
const silentMs = 3 * 60_000

/** The servers and what each of them does. */
export function NodeTable({ nodes, until }: { nodes: Health['nodes']; until: number }) {
  const [name, ...columns] = admin.health.nodeColumns
  return (
    <div className={shared.panel}>
      <h2 className={shared.heading}>{admin.health.nodes}</h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls on narrow screens */}
      <div className={shared.scroll} tabIndex={0} role="region" aria-label={admin.health.nodes}>
        <table className={`${shared.table} ${shared.stacked}`}>
          <thead>
            <tr>
              <th scope="col">{name}</th>
              {columns.map((column) => (
                <th key={column} scope="col" className={shared.number}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {nodes.map((node) => {
              const seen = Date.parse(node.seenAt)
              const silent = until - seen > silentMs
              return (
                <tr key={node.name}>
                  <th scope="row">{node.name}</th>
                  <td className={shared.number} data-label={columns[0]}>
                    <span>
                      {agoLabel(new Date(seen), new Date(until))}
                      {silent && <span className={shared.remove}> · {admin.health.silent}</span>}
                    </span>
                  </td>
                  {[node.streams, node.requests, node.errors].map((count, index) => (
                    <td key={columns[index + 1]} className={shared.number} data-label={columns[index + 1]}>
                      {number(count)}
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </div>
  )
}
