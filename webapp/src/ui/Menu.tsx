import { IconDots } from '@tabler/icons-react'
import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import classes from './Menu.module.css'

type Item = { label: string; icon?: ReactNode; onClick: () => void }

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
}

type Props = {
  label: string
  /** Id of the element that describes what the actions are for. */
  describedBy?: string
  items: readonly Item[]
  /** Renders the button, unless it has three dots. */
  renderButton?: (props: ComponentProps<'button'>) => ReactNode
}

const dots = (props: ComponentProps<'button'>) => (
  <button {...props} type="button" className={classes.button}>
    <IconDots size={20} aria-hidden />
  </button>
)

/** A few actions behind a button. Arrow keys move between them; Escape and losing the focus close it. */
export function Menu({ label, describedBy, items, renderButton = dots }: Props) {
  const [open, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) menu.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [open])

  const close = () => {
    setOpen(false)
    menu.current?.querySelector('button')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') return close()
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const next = steps[event.key]?.(buttons.indexOf(event.target as HTMLButtonElement), buttons.length)
    if (next === undefined) return undefined
    event.preventDefault()
    buttons[next]?.focus()
    return undefined
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setOpen(false)
  }
  return (
    <div ref={menu} className={classes.menu} onBlur={onBlur}>
      {renderButton({
        'aria-label': label,
        'aria-describedby': describedBy,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onClick: () => setOpen(!open),
      })}
      {open && (
        <div role="menu" tabIndex={-1} aria-label={label} className={classes.list} onKeyDown={onKeyDown}>
          {items.map(({ label: name, icon, onClick }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={classes.item}
              onClick={() => {
                close()
                onClick()
              }}
            >
              {icon}
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
