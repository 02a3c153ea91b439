import { Box, Button, Text } from '@mantine/core'
import { IconBellRinging } from '@tabler/icons-react'
import type { Channel } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePush } from '../../data/usePush'
import { useSilence } from '../../data/useSilence'
import { useMayFollow } from '../../data/useSignedIn'
import { receive } from '../../i18n/receive'
import { keepFollowIntent } from '../../lib/follow-intent'
import { formatChannel } from '../../lib/paths'
import { PushError } from '../../lib/push/registration'
import { ifLoaded, onDemand } from '../../ui/onDemand'
import ui from '../../ui/ui.module.css'
import { receiveMutation } from './mutations'

const HomeScreen = onDemand(() => import('./HomeScreen'))
const SilentDevice = ifLoaded(() => import('../../ui/SilentDevice'))

type Props = {
  channel: Channel
  /** The person has already asked for it, in the browser from which they have come. */
  asked?: boolean
}

/**
 * Has a channel pushed to this device with one click, besides the browser's own question: for visitors, who follow it
 * without an account. To followers whose device does not ring it says so.
 */
export function Receive({ channel, asked = false }: Props) {
  const visitor = useMayFollow()
  const { state } = usePush()
  const [steps, setSteps] = useState(false)
  const receiving = useMutation(receiveMutation())
  const { following = false } = channel
  const refused = receiving.data instanceof PushError ? receiving.data : undefined
  const install = state === 'install'
  const { isPending } = receiving
  if (!visitor && !isPending) return following && <Silent error={refused} />
  return (
    <>
      <Button
        size="sm"
        aria-label={receive.actionName(channel.name)}
        leftSection={<IconBellRinging size={18} />}
        loading={isPending}
        onClick={() => (install ? setSteps(true) : receiving.mutate({ channels: [channel], visitor }))}
      >
        {receive.action}
      </Button>
      {asked && <Why text={receive.ready} />}
      {visitor && !asked && <Without channel={channel} />}
      {steps && <HomeScreen query={`receive=${formatChannel(channel)}`} after={receive.after} />}
      {refused && <Why text={refused.message} />}
    </>
  )
}

/** Says to a follower that this device does not ring, below the buttons, which fill a row, and those that come after. */
function Silent({ error }: { error?: Error }) {
  const silent = useSilence()
  if (silent.silence === 'unsupported' && !error) return null
  return (
    <Box w="100%" maw={440} style={below}>
      <SilentDevice {...silent} error={silent.error ?? error ?? null} />
    </Box>
  )
}

const below = { order: 1 }

const Why = ({ text }: { text: string }) => (
  <Text role="status" w="100%" className={ui.note} style={below}>
    {text}
  </Text>
)

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
