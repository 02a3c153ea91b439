import { Text } from '@mantine/core'
import { IconDoorExit } from '@tabler/icons-react'
import { useEffect } from 'react'
import { waitlist } from '../../i18n/waitlist'
import { focusHeading } from '../../lib/focus'
import { Card } from '../../ui/Card'
import { Back } from './Back'

/** Focuses the heading, because the pressed button is gone. */
export function Left() {
  useEffect(focusHeading, [])
  return (
    <Card icon={<IconDoorExit size={40} aria-hidden />} title={waitlist.place.left}>
      <Text c="dimmed">{waitlist.place.leftText}</Text>
      <Back />
    </Card>
  )
}
