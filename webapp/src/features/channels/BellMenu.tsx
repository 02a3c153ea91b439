import { Button, Text } from '@mantine/core'
import type { Subscription } from '@sininho/sdk'
import { useEffect, useRef, useState } from 'react'
import { words } from '../../i18n/words'
import { onDemand } from '../../ui/onDemand'
import { useBell } from './useBell'

/** The dialog's code is loaded after the screen, before anyone can open it. */
const load = () => import('./BellChoices')
const BellChoices = onDemand(load)

type Props = { subscription: Subscription; labelled?: boolean }

/** A channel's bell: the icon shows its level, and a click opens the dialog to change it. */
export function BellMenu({ subscription, labelled = false }: Props) {
  const { icon: Icon, label, rings } = useBell(subscription)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => void load().catch(() => undefined), [])
  return (
    <>
      <Button
        size="sm"
        ref={button}
        variant={labelled ? 'default' : 'subtle'}
        color={rings ? undefined : 'gray'}
        c={rings ? 'brand' : 'dimmed'}
        px={labelled ? 12 : 0}
        data-labelled={labelled || undefined}
        title={label}
        aria-label={words.followed.bellIs(subscription.channel.name, label)}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Icon size={20} aria-hidden />
        {labelled && (
          <Text span inherit ms={6} aria-hidden>
            {label}
          </Text>
        )}
      </Button>
      {open && <BellChoices subscription={subscription} anchor={button} onClose={() => setOpen(false)} />}
    </>
  )
}
