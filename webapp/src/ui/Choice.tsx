import { SegmentedControl } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'

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
  const data = (Object.keys(options) as Value[]).map((each) => {
    const Mark: Icon | undefined = icons?.[each]
    return {
      value: each,
      label: (
        <>
          {Mark && <Mark size={18} aria-hidden />}
          {options[each]}
        </>
      ),
    }
  })
  return (
    <SegmentedControl
      aria-label={label}
      data={data}
      value={value}
      onChange={onChange}
      maw="100%"
      style={{ overflowX: 'auto' }}
    />
  )
}
