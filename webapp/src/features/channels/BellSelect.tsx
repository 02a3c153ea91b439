import type { Bell, Subscription } from '@sininho/sdk'
import { IconBell, IconBellExclamation, IconBellOff } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import classes from './BellSelect.module.css'
import { bellMutation } from './mutations'

const levels = ['all', 'important', 'none'] as const satisfies readonly Bell[]
const icons = { all: IconBell, important: IconBellExclamation, none: IconBellOff }

type Props = { subscription: Subscription; labelled?: boolean }

/** A channel's bell: the system's own menu behind an icon of the level. */
export function BellSelect({ subscription: { channel, bell }, labelled = false }: Props) {
  const client = useQueryClient()
  const change = useMutation(bellMutation(client))
  const Icon = icons[bell]
  return (
    <span
      className={classes.bell}
      data-off={bell === 'none' || undefined}
      data-labelled={labelled || undefined}
      title={pt.followed.bell[bell]}
    >
      <Icon size={20} aria-hidden />
      {labelled && <span aria-hidden>{pt.followed.bell[bell]}</span>}
      <select
        aria-label={pt.followed.bellOf(channel.name)}
        value={bell}
        onChange={(event) => {
          const chosen = levels.find((level) => level === event.currentTarget.value)
          if (chosen) change.mutate({ id: channel.id, bell: chosen })
        }}
      >
        {levels.map((level) => (
          <option key={level} value={level}>
            {pt.followed.bell[level]}
          </option>
        ))}
      </select>
    </span>
  )
}
