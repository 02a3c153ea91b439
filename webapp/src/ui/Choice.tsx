import type { Icon } from '@tabler/icons-react'
import { useId } from 'react'
import classes from './segments.module.css'

type Props<Value extends string> = {
  label: string
  /** Each value with its text. */
  options: Record<Value, string>
  icons?: Record<Value, Icon>
  value: Value
  onChange: (value: Value) => void
}

/** A choice between a few values, of which all are shown. */
export function Choice<Value extends string>({ label, options, icons, value, onChange }: Props<Value>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className={classes.choice}>
      {(Object.keys(options) as Value[]).map((each) => {
        const Mark: Icon | undefined = icons?.[each]
        return (
          <label key={each} className={classes.segment}>
            <input
              type="radio"
              name={name}
              className={classes.input}
              checked={each === value}
              onChange={() => onChange(each)}
            />
            {Mark && <Mark size={18} aria-hidden />}
            {options[each]}
          </label>
        )
      })}
    </div>
  )
}
