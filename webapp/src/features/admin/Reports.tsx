import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { reportsQuery } from '../../data/moderation'
import { admin } from '../../i18n/admin'
import { Choice } from '../../ui/Choice'
import { PagedList } from './PagedList'
import { ReportRow } from './ReportRow'
import { type ScreenProps, oneOf } from './search'

/** What people reported, the oldest first. */
export function Reports({ search, onSearch }: ScreenProps) {
  const state = oneOf(admin.reports.states, search.state, 'open')
  const query = useInfiniteQuery(reportsQuery(state))
  const list = useRef<HTMLUListElement>(null)
  return (
    <>
      <div>
        <Choice
          label={admin.reports.state}
          options={admin.reports.states}
          value={state}
          onChange={(value) => onSearch({ state: value === 'open' ? undefined : value })}
        />
      </div>
      <PagedList query={query} label={admin.titles.reports} empty={admin.reports.empty[state]} list={list}>
        {(report) => <ReportRow key={report.id} report={report} onClose={() => list.current?.focus()} />}
      </PagedList>
    </>
  )
}
