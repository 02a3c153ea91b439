import { Button, Checkbox, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { Subscription } from '@sininho/sdk'
import { IconShare3 } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { shareMutation } from '../../data/share'
import { subscriptionsQuery } from '../../data/subscriptions'
import { language as spoken } from '../../i18n/language'
import { setup } from '../../i18n/setup'
import { words } from '../../i18n/words'
import { type Language, languages } from '../../lib/language'
import { formatChannel, parseChannel } from '../../lib/paths'
import { maxSetupChannels, searchOfSetup } from '../../lib/setup-link'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'

/** Makes a link that sets a phone up for somebody else. Private channels have invitations of their own. */
export function SetupLink() {
  const query = useQuery(subscriptionsQuery())
  return (
    <Stack>
      <Text c="dimmed">{setup.why}</Text>
      <Loaded query={query} skeleton={<BlockSkeleton height={192} />}>
        {(subscriptions) => {
          const followed = subscriptions.filter(({ channel, suspended }) => !channel.private && !suspended)
          return followed.length === 0 ? <Text variant="hint">{setup.none}</Text> : <LinkForm followed={followed} />
        }}
      </Loaded>
    </Stack>
  )
}

function LinkForm({ followed }: { followed: Subscription[] }) {
  const [chosen, setChosen] = useState<string[]>([])
  const [language, setLanguage] = useState<Language>(spoken)
  const [large, setLarge] = useState(true)
  const share = useMutation(shareMutation())
  const router = useRouter()
  const channels = chosen.flatMap((each) => parseChannel(each) ?? [])
  const { href } = router.buildLocation({ to: '/start', search: searchOfSetup({ channels, language, large }) })
  const full = chosen.length === maxSetupChannels
  return (
    <>
      <Checkbox.Group
        label={setup.channels}
        description={full && setup.tooMany(maxSetupChannels)}
        value={chosen}
        onChange={setChosen}
      >
        {followed.map(({ channel }) => {
          const address = formatChannel(channel)
          const closed = full && !chosen.includes(address)
          return <Checkbox key={channel.id} py={10} value={address} label={channel.name} disabled={closed} />
        })}
      </Checkbox.Group>
      <Switch label={setup.large} checked={large} onChange={(event) => setLarge(event.currentTarget.checked)} />
      <NativeSelect
        label={setup.language}
        value={language}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        onChange={(event) => setLanguage(event.currentTarget.value as Language)}
      />
      {channels.length > 0 && (
        <>
          <TextInput label={setup.link} readOnly value={new URL(href, location.origin).href} />
          <Button
            style={{ alignSelf: 'start' }}
            leftSection={<IconShare3 size={20} aria-hidden />}
            onClick={() => share.mutate({ title: setup.linkTitle, path: href })}
          >
            {words.feed.share}
          </Button>
        </>
      )}
    </>
  )
}
