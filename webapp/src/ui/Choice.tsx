import { useId } from 'react'
import classes from './segments.module.css'

type Props<Value extends string> = {
  label: string
  /** Each value with its text. */
  options: Record<Value, string>
  value: Value
  onChange: (value: Value) => void
}

/** A choice between a few values, of which all are shown. */
export function Choice<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className={classes.track} style={{ width: 'fit-content' }}>
      {(Object.keys(options) as Value[]).map((each) => (
        <label key={each} className={classes.segment}>
          <input
            type="radio"
            name={name}
            className={classes.input}
            checked={each === value}
            onChange={() => onChange(each)}
          />
          {options[each]}
        </label>
      ))}
    </div>
  )
}
