import { Radio, Stack, Text } from '@mantine/core'
import type { Bell } from '@sininho/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { meQuery, updateMeMutation } from '../../data/me'
import { words } from '../../i18n/words'
import { settings } from '../../i18n/settings'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'

const levels = ['all', 'important', 'digest', 'none'] as const satisfies readonly Bell[]

/** The bell level of newly followed channels. */
export function BellDefault() {
  const query = useQuery(meQuery())
  const update = useMutation(updateMeMutation())
  return (
    <Stack>
      <Text c="dimmed">{settings.bellDefault.text}</Text>
      <Loaded query={query} skeleton={<BlockSkeleton height={192} />}>
        {({ bellDefault }) => (
          <Radio.Group
            aria-label={settings.bellDefault.title}
            value={bellDefault}
            onChange={(level) => update.mutate({ bellDefault: level })}
          >
            <Stack gap={8}>
              {levels.map((level) => (
                <Radio
                  key={level}
                  value={level}
                  label={words.followed.bell[level]}
                  description={words.followed.bellHint[level]}
                />
              ))}
            </Stack>
          </Radio.Group>
        )}
      </Loaded>
    </Stack>
  )
}
