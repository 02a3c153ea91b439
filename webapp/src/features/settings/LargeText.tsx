import { Switch } from '@mantine/core'
import { useState } from 'react'
import { setup } from '../../i18n/setup'
import { isTextLarge, setTextLarge } from '../../lib/large-text'

export function LargeText() {
  const [large, setLarge] = useState(isTextLarge)
  return (
    <Switch
      label={setup.large}
      description={setup.largeHint}
      checked={large}
      onChange={({ currentTarget }) => {
        setTextLarge(currentTarget.checked)
        setLarge(currentTarget.checked)
      }}
    />
  )
}
