import type { Subscription } from '@sininho/sdk'
import {
  type Icon,
  IconBellDown,
  IconBellExclamation,
  IconBellOff,
  IconBellRinging,
  IconBellZ,
} from '@tabler/icons-react'
import { words } from '../../i18n/words'
import { untilLabel } from '../../lib/spans'
import { useMuted } from './useMuted'

export const bellIcons = {
  all: IconBellRinging,
  important: IconBellExclamation,
  digest: IconBellDown,
  none: IconBellOff,
}

/** Returns the icon and the label of a channel's current bell. */
export function useBell({ bell, mutedUntil }: Subscription): {
  icon: Icon
  label: string
  rings: boolean
  mutedUntil?: Date
} {
  const muted = useMuted({ mutedUntil })
  if (muted) return { icon: IconBellZ, label: words.followed.muted(untilLabel(muted)), rings: false, mutedUntil: muted }
  return { icon: bellIcons[bell], label: words.followed.bell[bell], rings: bell !== 'none' }
}
