import type { HealthPart } from '@sininho/sdk'
import { admin } from '../../i18n/admin'
import { number } from '../../i18n/words'
import shared from './admin.module.css'

const outcomes = ['failed', 'expired', 'retried'] as const

/** Why pushes were not accepted. */
export function CauseTable({ parts }: { parts: readonly HealthPart[] }) {
  const causes = [...new Set(parts.flatMap((part) => outcomes.flatMap((outcome) => Object.keys(part[outcome]))))]
  const total = (outcome: (typeof outcomes)[number], cause: string) =>
    parts.reduce((sum, part) => sum + (part[outcome][cause] ?? 0), 0)
  return (
    <div className={shared.panel}>
      <h2 className={shared.heading}>{admin.health.causes}</h2>
      {causes.length === 0 ? (
        <p className={shared.text}>{admin.health.noCauses}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls on narrow screens
        <div className={shared.scroll} tabIndex={0} role="region" aria-label={admin.health.causes}>
          <table className={`${shared.table} ${shared.stacked}`}>
            <thead>
              <tr>
                <th scope="col">{admin.health.cause}</th>
                {outcomes.map((outcome) => (
                  <th key={outcome} scope="col" className={shared.number}>
                    {admin.health.series[outcome]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {causes.map((cause) => (
                <tr key={cause}>
                  <th scope="row">{admin.health.causeOf[cause] ?? cause}</th>
                  {outcomes.map((outcome) => (
                    <td key={outcome} className={shared.number} data-label={admin.health.series[outcome]}>
                      {number(total(outcome, cause))}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}
