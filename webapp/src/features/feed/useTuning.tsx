import type { ChannelRef, Subscription, SubscriptionPatch } from '@sininho/sdk'
import { IconBellExclamation, IconBellZ, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { bellMutation, unfollowMutation } from '../../data/following'
import { subscriptionKeys } from '../../data/subscriptions'
import { tune } from '../../i18n/tune'
import { words } from '../../i18n/words'
import { run } from '../../lib/query-client'
import { untilLabel } from '../../lib/spans'
import type { MenuItem } from '../../ui/Menu'
import { onDemand } from '../../ui/onDemand'

const MuteSheet = onDemand(() => import('./MuteSheet'))

export type Tuning = {
  /** The bell of the channel, if the reader follows it. */
  subscription: () => Subscription | undefined
  /** Rings for what is important alone. */
  onlyImportant: () => void
  /** Asks until when the channel is muted. */
  mute: () => void
  /** What a menu offers: only what the bell does not do already. */
  items: () => MenuItem[]
  /** What is asked, to be rendered. */
  sheet: ReactNode
}

/** Lets a reader hear less of a channel where its notifications are. */
export function useTuning(channel: ChannelRef): Tuning {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { id, name } = channel
  const change = (patch: SubscriptionPatch, said: string) => {
    const mutation = bellMutation()
    return run(client, { ...mutation, meta: { ...mutation.meta, successMessage: said } }, { id, ...patch })
  }
  const tuning = {
    subscription: () =>
      client.getQueryData<Subscription[]>(subscriptionKeys.all)?.find((each) => each.channel.id === id),
    onlyImportant: () => change({ bell: 'important' }, tune.important(name)),
    mute: () => setAsking(true),
  }
  const items = () => {
    const bell = tuning.subscription()?.bell
    return [
      bell === 'all' && {
        label: words.followed.bell.important,
        icon: <IconBellExclamation size={20} />,
        onClick: tuning.onlyImportant,
      },
      bell && bell !== 'none' && { label: tune.mute, icon: <IconBellZ size={20} />, onClick: tuning.mute },
      // leaving a private channel is asked about on its page
      bell &&
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
  return { ...tuning, items, sheet }
}
