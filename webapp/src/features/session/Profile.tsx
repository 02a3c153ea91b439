import { Box, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../data/me'
import { avatarOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { ProfileForm } from './ProfileForm'

/** The signed-in person's profile, with a form to change it. */
export function Profile() {
  const query = useQuery(meQuery())
  return (
    <Stack>
      <Loaded query={query} skeleton={<BlockSkeleton height={444} />}>
        {(me) => (
          <>
            {!me.anonymous && (
              <Group wrap="nowrap" gap={16}>
                <ChannelIcon icon={avatarOf(me)} name={me.name || (me.email ?? '')} size={56} />
                <Box miw={0}>
                  <Text fz={17} fw={600}>
                    {me.name}
                  </Text>
                  <Text c="dimmed" truncate>
                    {me.email}
                  </Text>
                </Box>
              </Group>
            )}
            <ProfileForm me={me} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
