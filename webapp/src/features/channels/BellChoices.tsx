import { Popover, Stack, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Bell, Subscription, SubscriptionPatch } from '@sininho/sdk'
import { IconBell, IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useId } from 'react'
import { bellMutation } from '../../data/following'
import { useSilence } from '../../data/useSilence'
import { words } from '../../i18n/words'
import { untilLabel } from '../../lib/spans'
import { Anchored } from '../../ui/Anchored'
import { Dialog } from '../../ui/Dialog'
import { MuteList } from '../../ui/MuteList'
import { Option } from '../../ui/Option'
import { useFocusBack } from '../../ui/useFocusBack'
import SilentDevice from '../../ui/SilentDevice'
import { bellIcons } from './useBell'
import { useMuted } from './useMuted'

const levels = ['all', 'important', 'digest', 'none'] as const satisfies readonly Bell[]

type Props = { subscription: Subscription; anchor: RefObject<HTMLElement | null>; onClose: () => void }

/** Dialog for the bell level and for muting a channel for a while. Closes after a choice. */
export default function BellChoices({ subscription, anchor, onClose }: Props) {
  const { channel, bell } = subscription
  const muted = useMuted(subscription)
  const change = useMutation(bellMutation())
  const silent = useSilence()
  const id = useId()
  const choose = (patch: SubscriptionPatch) => {
    onClose()
    change.mutate({ id: channel.id, ...patch })
  }
  return (
    <Beside title={words.followed.bellOf(channel.name)} anchor={anchor} onClose={onClose}>
      <Stack gap={8}>
        {bell !== 'none' && <SilentDevice {...silent} />}
        {muted && (
          <>
            <Text px={12} fz="sm" c="dimmed">
              {words.followed.muted(untilLabel(muted))}
            </Text>
            <Option
              label={words.followed.unmute}
              leftSection={<IconBell size={20} aria-hidden />}
              onClick={() => choose({ mutedUntil: null })}
            />
            <Text px={12} fz="sm" fw={600} c="dimmed">
              {words.followed.afterwards}
            </Text>
          </>
        )}
        <ul>
          {levels.map((level) => {
            const Icon = bellIcons[level]
            return (
              <li key={level}>
                <Option
                  active={bell === level && !muted}
                  aria-pressed={bell === level}
                  leftSection={<Icon size={20} aria-hidden />}
                  rightSection={bell === level && <IconCheck size={20} aria-hidden />}
                  label={words.followed.bell[level]}
                  onClick={() => choose({ bell: level })}
                />
              </li>
            )
          })}
        </ul>
        {bell !== 'none' && (
          <section aria-labelledby={id}>
            <Title order={3} id={id} px={12} py={8} fz="sm" c="dimmed">
              {words.followed.mute}
            </Title>
            <MuteList onChoose={(until) => choose({ mutedUntil: until.toISOString() })} />
          </section>
        )}
      </Stack>
    </Beside>
  )
}

type BesideProps = Pick<Props, 'anchor' | 'onClose'> & { title: string; children: ReactNode }

/** A dialog beside what opens it or, on phones, at the bottom. */
function Beside({ title, anchor, onClose, children }: BesideProps) {
  const wide = useMediaQuery('(min-width: 48em)', false, { getInitialValueInEffect: false })
  return wide ? (
    <Popup title={title} anchor={anchor} onClose={onClose}>
      {children}
    </Popup>
  ) : (
    <Dialog title={title} onClose={onClose}>
      {children}
    </Dialog>
  )
}

function Popup({ title, anchor, onClose, children }: BesideProps) {
  const id = useId()
  const opened = useFocusBack()
  return (
    <Popover
      opened={opened}
      onChange={onClose}
      position="bottom-end"
      width={320}
      radius={12}
      shadow="md"
      trapFocus
      middlewares={{ flip: { crossAxis: false, fallbackPlacements: ['right-start', 'left-start'] } }}
      returnFocus={false}
      withRoles={false}
    >
      <Popover.Target>
        <Anchored of={anchor} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-labelledby={id} p={16}>
        <Title order={2} size="h3" id={id} mb={16}>
          {title}
        </Title>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
