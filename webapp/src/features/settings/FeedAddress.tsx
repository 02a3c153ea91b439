import { Button, Group, Stack, Text } from '@mantine/core'
import { IconRss } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { feedAddressQuery } from '../../data/feed-address'
import { settings } from '../../i18n/settings'
import { dateLabel } from '../../lib/spans'
import { ConfirmButton } from '../../ui/ConfirmButton'
import { Loaded } from '../../ui/Loaded'
import { Moment } from '../../ui/Moment'
import { Secret } from '../../ui/Secret'
import { BlockSkeleton } from '../../ui/skeletons'
import { endFeedAddressMutation, renewFeedAddressMutation } from './mutations'
import ui from '../../ui/ui.module.css'

const texts = settings.feedAddress

/** The secret address at which feed readers find the person's feed. A new one is shown only once. */
export function FeedAddress() {
  const query = useQuery(feedAddressQuery())
  const renew = useMutation(renewFeedAddressMutation())
  const end = useMutation(endFeedAddressMutation())
  const state = useRef<HTMLDivElement>(null)
  const focus = () => state.current?.focus()
  return (
    <Stack>
      {renew.data && (
        <Secret
          title={texts.made}
          hint={texts.madeHint}
          secret={renew.data.atom}
          done={texts.done}
          onDone={() => {
            renew.reset()
            focus()
          }}
        />
      )}
      <Text c="dimmed">
        {texts.text}{' '}
        <a href="/docs/feeds" className={ui.link}>
          {texts.how}
        </a>
      </Text>
      <div ref={state} tabIndex={-1}>
        <Loaded query={query} skeleton={<BlockSkeleton height={44} />}>
          {(address) =>
            address ? (
              <Address
                {...address}
                onRenew={() => renew.mutate()}
                onEnd={() => {
                  focus()
                  renew.reset()
                  end.mutate()
                }}
              />
            ) : (
              <Button
                variant="default"
                leftSection={<IconRss size={20} />}
                loading={renew.isPending}
                onClick={() => renew.mutate()}
              >
                {texts.make}
              </Button>
            )
          }
        </Loaded>
      </div>
    </Stack>
  )
}

type Props = { hint: string; createdAt: string; onRenew: () => void; onEnd: () => void }

function Address({ hint, createdAt, onRenew, onEnd }: Props) {
  return (
    <Stack gap={12}>
      <Text>
        <code>{texts.hint(hint)}</code> <Moment at={createdAt} label={(date) => texts.since(dateLabel(date))} />
      </Text>
      <Group>
        <ConfirmButton variant="default" question={texts.renewQuestion} text={texts.renewText} onConfirm={onRenew}>
          {texts.renew}
        </ConfirmButton>
        <ConfirmButton
          variant="subtle"
          color="danger"
          question={texts.endQuestion}
          text={texts.endText}
          onConfirm={onEnd}
        >
          {texts.end}
        </ConfirmButton>
      </Group>
    </Stack>
  )
}
