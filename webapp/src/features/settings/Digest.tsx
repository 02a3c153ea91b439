import { Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type Me, meQuery, updateMeMutation } from '../../data/me'
import { subscriptionsQuery } from '../../data/subscriptions'
import { settings } from '../../i18n/settings'
import { dailyLabel } from '../../lib/spans'
import { timezoneLabel } from '../../lib/timezones'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { TimeSelect } from './TimeSelect'

/** When the daily digest comes or, while no channel is in it, how one gets there. */
export function Digest() {
  const query = useQuery(meQuery())
  const subscriptions = useQuery(subscriptionsQuery())
  const skeleton = <BlockSkeleton height={44} />
  return (
    <Stack>
      <Text c="dimmed">{settings.digest.text}</Text>
      <Loaded query={query} skeleton={skeleton}>
        {(me) => (
          <Loaded query={subscriptions} skeleton={skeleton}>
            {(all) =>
              me.bellDefault === 'digest' || all.some(({ bell }) => bell === 'digest') ? (
                <Hour me={me} />
              ) : (
                <Text variant="hint">{settings.digest.none}</Text>
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Stack>
  )
}

function Hour({ me: { digestAt, quietHours, timezone } }: { me: Me }) {
  const update = useMutation(updateMeMutation())
  return (
    <>
      <Group>
        <TimeSelect
          label={settings.digest.at}
          value={digestAt}
          onChange={(time) => update.mutate({ digestAt: time })}
        />
      </Group>
      <div>
        {quietHours && isWithin(digestAt, quietHours) && (
          <Text variant="hint">{settings.digest.quiet(dailyLabel(quietHours.end))}</Text>
        )}
        <Text variant="hint">{settings.quiet.timezone(timezoneLabel(timezone))}</Text>
      </div>
    </>
  )
}

/** Reports whether a time of day is in hours, which may be over midnight. */
const isWithin = (time: string, { start, end }: NonNullable<Me['quietHours']>) =>
  start < end ? start <= time && time < end : start <= time || time < end
