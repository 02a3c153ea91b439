import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import classes from './Tabs.module.css'

type Tab = { name: string; content: ReactNode }

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  Home: () => 0,
  End: (_at, last) => last,
}

/** Several views of one thing, one at a time. Arrow keys switch between them. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly [Tab, ...Tab[]] }) {
  const id = useId()
  const [at, setAt] = useState(0)
  const choose = (event: KeyboardEvent) => {
    const next = steps[event.key]?.(at, tabs.length - 1)
    if (next === undefined) return
    event.preventDefault()
    setAt(next)
    document.getElementById(`${id}-tab-${next}`)?.focus()
  }
  return (
    <div className={classes.tabs}>
      <div role="tablist" aria-label={label} className={classes.list}>
        {tabs.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            className={classes.tab}
            onClick={() => setAt(index)}
            onKeyDown={choose}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${at}`}>
        {(tabs[at] ?? tabs[0]).content}
      </div>
    </div>
  )
}
