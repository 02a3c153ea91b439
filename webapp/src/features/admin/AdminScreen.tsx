import type { ReactNode } from 'react'
import { PageTitle } from '../../ui/PageTitle'
import { AdminNav } from './AdminNav'
import { screens } from './screens'
import type { Search } from './search'
import classes from './admin.module.css'

type Props = {
  /** What follows /admin/ in the address. */
  name: string
  search: Search
  onSearch: (search: Search) => void
  /** Shown when there is no such screen. */
  missing: ReactNode
}

/** One of the operators' screens, with the way to the others. */
export function AdminScreen({ name, search, onSearch, missing }: Props) {
  const screen = screens.find((each) => each.name === name)
  if (!screen) return missing
  return (
    <div className={classes.page}>
      <AdminNav current={name} />
      <div className={classes.screen}>
        <PageTitle size={20}>{screen.title}</PageTitle>
        <screen.Content search={search} onSearch={onSearch} />
      </div>
    </div>
  )
}
