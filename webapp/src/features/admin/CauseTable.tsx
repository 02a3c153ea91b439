import type { HealthPart } from '@sininho/sdk'
import { admin } from '../../i18n/admin'
import { number } from '../../i18n/words'
import { DataTable } from './DataTable'

const outcomes = ['failed', 'expired', 'retried'] as const

/** Why pushes were not accepted. */
export function CauseTable({ parts }: { parts: readonly HealthPart[] }) {
  const { causes: title, noCauses, cause: name, causeOf, series } = admin.health
  const causes = [...new Set(parts.flatMap((part) => outcomes.flatMap((outcome) => Object.keys(part[outcome]))))]
  const total = (outcome: (typeof outcomes)[number], cause: string) =>
    parts.reduce((sum, part) => sum + (part[outcome][cause] ?? 0), 0)
  return (
    <DataTable
      title={title}
      text={causes.length === 0 ? noCauses : undefined}
      columns={[name, ...outcomes.map((outcome) => series[outcome])]}
      rows={causes.map((cause) => [
        causeOf[cause] ?? cause,
        ...outcomes.map((outcome) => number(total(outcome, cause))),
      ])}
    />
  )
}
