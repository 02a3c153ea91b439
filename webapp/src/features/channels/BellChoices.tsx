import type { Bell, Subscription, SubscriptionPatch } from '@sininho/sdk'
import { IconBell, IconCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useId } from 'react'
import { words } from '../../i18n/words'
import { untilLabel } from '../../lib/dates'
import { Dialog } from '../../ui/Dialog'
import classes from './BellChoices.module.css'
import { muteEnd, mutes } from './mute'
import { bellMutation } from './mutations'
import { bellIcons } from './useBell'
import { useMuted } from './useMuted'

const levels = ['all', 'important', 'none'] as const satisfies readonly Bell[]

type Props = { subscription: Subscription; anchor: RefObject<HTMLElement | null>; onClose: () => void }

/** Dialog for the bell level and for muting a channel for a while. Closes after a choice. */
export default function BellChoices({ subscription, anchor, onClose }: Props) {
  const { channel, bell } = subscription
  const muted = useMuted(subscription)
  const change = useMutation(bellMutation(useQueryClient()))
  const id = useId()
  const choose = (patch: SubscriptionPatch) => {
    onClose()
    change.mutate({ id: channel.id, ...patch })
  }
  return (
    <Dialog title={words.followed.bellOf(channel.name)} anchor={anchor} onClose={onClose}>
      {muted && (
        <div className={classes.muted}>
          <p>{words.followed.muted(untilLabel(muted))}</p>
          <button type="button" className={classes.choice} onClick={() => choose({ mutedUntil: null })}>
            <IconBell size={20} aria-hidden />
            <span className={classes.label}>{words.followed.unmute}</span>
          </button>
          <p className={classes.afterwards}>{words.followed.afterwards}</p>
        </div>
      )}
      <ul className={classes.choices}>
        {levels.map((level) => {
          const Icon = bellIcons[level]
          return (
            <li key={level}>
              <button
                type="button"
                className={classes.choice}
                aria-pressed={bell === level}
                onClick={() => choose({ bell: level })}
              >
                <Icon size={20} aria-hidden />
                <span className={classes.label}>{words.followed.bell[level]}</span>
                {bell === level && <IconCheck size={20} aria-hidden />}
              </button>
            </li>
          )
        })}
      </ul>
      {bell !== 'none' && (
        <section aria-labelledby={id}>
          <h3 id={id} className={classes.heading}>
            {words.followed.mute}
          </h3>
          <ul className={classes.choices}>
            {mutes.map((mute) => (
              <li key={mute}>
                <button
                  type="button"
                  className={classes.choice}
                  onClick={() => choose({ mutedUntil: muteEnd(mute).toISOString() })}
                >
                  <span className={classes.label}>{words.followed.muteFor[mute]}</span>
                  <span className={classes.until}>{untilLabel(muteEnd(mute))}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  )
}
