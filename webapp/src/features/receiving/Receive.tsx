import { Button, Text } from '@mantine/core'
import { IconBellRinging } from '@tabler/icons-react'
import type { Channel } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePush } from '../../data/usePush'
import { useMayFollow } from '../../data/useSignedIn'
import { receive } from '../../i18n/receive'
import { keepFollowIntent } from '../../lib/follow-intent'
import { formatChannel } from '../../lib/paths'
import { PushError } from '../../lib/push/registration'
import { onDemand } from '../../ui/onDemand'
import ui from '../../ui/ui.module.css'
import { receiveMutation } from './mutations'

const HomeScreen = onDemand(() => import('./HomeScreen'))

type Props = {
  channel: Channel
  /** The person has already asked for it, in the browser from which they have come. */
  asked?: boolean
}

/**
 * Has a channel pushed to this device with one click, besides the browser's own question: for visitors, who follow it
 * without an account, and for followers whose device does not ring yet.
 */
export function Receive({ channel, asked = false }: Props) {
  const visitor = useMayFollow()
  const { state } = usePush()
  const [steps, setSteps] = useState(false)
  const receiving = useMutation(receiveMutation())
  const { id, following = false } = channel
  const refused = whyNot(receiving.data)
  const install = state === 'install'
  const { isPending } = receiving
  if (!visitor && !isPending && !(following && (state === 'off' || install))) return refused && <Why text={refused} />
  return (
    <>
      <Button
        size="sm"
        style={following ? below : undefined}
        aria-label={receive.actionName(channel.name)}
        leftSection={<IconBellRinging size={18} />}
        loading={isPending}
        onClick={() => (install ? setSteps(true) : receiving.mutate({ id, following, visitor }))}
      >
        {receive.action}
      </Button>
      {asked && <Why text={receive.ready} />}
      {visitor && !asked && <Without channel={channel} />}
      {steps && <HomeScreen channel={channel} />}
      {refused && <Why text={refused} />}
    </>
  )
}

/** Below the buttons of a followed channel, which fill a row, and those that come after. */
const below = { order: 1 }

const Why = ({ text }: { text: string }) => (
  <Text role="status" w="100%" className={ui.note} style={below}>
    {text}
  </Text>
)

/** Why the browser takes no pushes, if that is what came of it. */
const whyNot = (result: unknown) => (result instanceof PushError ? result.message : undefined)

/** Says that no account is needed, and leads those who have one to it. */
const Without = ({ channel }: { channel: Channel }) => (
  <Text w="100%" fz="sm" c="dimmed" style={below}>
    {receive.without}{' '}
    <Link
      to="/login"
      search={{ redirect: `/channels/${formatChannel(channel)}` }}
      onClick={() => keepFollowIntent(channel)}
    >
      {receive.account}
    </Link>
  </Text>
)
