import { Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { words } from '../../i18n/words'
import ui from '../../ui/ui.module.css'

/** Characters. A longer text is collapsed. */
const long = 280

/** What a channel or publisher says about itself. */
export function Description({ children }: { children: string }) {
  const [unfolded, setUnfolded] = useState(false)
  if (!children) return null
  const folded = children.length > long && !unfolded
  return (
    <>
      <Text maw="68ch" lineClamp={folded ? 4 : undefined} style={{ whiteSpace: 'pre-line' }} dir="auto">
        {children}
      </Text>
      {children.length > long && (
        <UnstyledButton className={ui.link} aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          {unfolded ? words.feed.less : words.feed.more}
        </UnstyledButton>
      )}
    </>
  )
}
