import { SegmentedControl } from '@mantine/core'
import shared from './admin.module.css'

type Props<Value extends string> = {
  label: string
  /** Each value with its text. */
  options: Record<Value, string>
  value: Value
  onChange: (value: Value) => void
}

/** A choice between a few values, of which all are shown. */
export function Choice<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  const values = Object.keys(options) as Value[]
  return (
    <SegmentedControl
      size="md"
      className={shared.choices}
      aria-label={label}
      value={value}
      onChange={onChange}
      data={values.map((each) => ({ value: each, label: options[each] }))}
    />
  )
}
