import type { ChannelRef, SubscriptionPatch } from '@sininho/sdk'
import { IconBellDown, IconBellExclamation, IconBellZ, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bellMutation, unfollowMutation } from '../../data/following'
import { subscriptionTo } from '../../data/subscription-cache'
import { tune } from '../../i18n/tune'
import { words } from '../../i18n/words'
import { run } from '../../lib/query-client'
import { untilLabel } from '../../lib/spans'
import { onDemand } from '../../ui/onDemand'

const MuteSheet = onDemand(() => import('./MuteSheet'))

export type Tuning = ReturnType<typeof useTuning>

/** Lets a reader hear less of a channel where its notifications are. The sheet is to be rendered. */
export function useTuning(channel: ChannelRef) {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { id, name } = channel
  const change = (patch: SubscriptionPatch, said: string) => {
    const mutation = bellMutation()
    const before = subscriptionTo(client, id)
    const was = before && { bell: before.bell, mutedUntil: before.mutedUntil ?? null }
    const undo = () => was && (() => run(client, bellMutation(), { id, ...was }))
    return run(client, { ...mutation, meta: { ...mutation.meta, successMessage: said, undo } }, { id, ...patch })
  }
  const bell = () => subscriptionTo(client, id)?.bell
  const onlyImportant = () => change({ bell: 'important' }, tune.important(name))
  const digest = () => change({ bell: 'digest' }, tune.digested(name))
  const mute = () => setAsking(true)
  /** What a menu offers: only what the bell does not do already. */
  const items = () => {
    const now = bell()
    return [
      (now === 'all' || now === 'digest') && {
        label: words.followed.bell.important,
        icon: <IconBellExclamation size={20} />,
        onClick: onlyImportant,
      },
      (now === 'all' || now === 'important') && {
        label: tune.digest,
        icon: <IconBellDown size={20} />,
        onClick: digest,
      },
      now && now !== 'none' && { label: tune.mute, icon: <IconBellZ size={20} />, onClick: mute },
      // leaving a private channel is asked about on its page
      now &&
        !channel.private && {
          label: words.channels.unfollow,
          icon: <IconX size={20} />,
          onClick: () => run(client, unfollowMutation(), id),
        },
    ].filter((item) => typeof item === 'object')
  }
  const sheet = asking && (
    <MuteSheet
      channel={name}
      onClose={() => setAsking(false)}
      onChoose={(until) => {
        setAsking(false)
        change({ mutedUntil: until.toISOString() }, tune.muted(name, untilLabel(until)))
      }}
    />
  )
  return { bell, onlyImportant, digest, mute, items, sheet }
}
