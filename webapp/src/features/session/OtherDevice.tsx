import { Box, Button, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { login } from '../../i18n/login'
import { openPage } from '../../lib/page'
import { beginOtherMutation, finishOther } from './mutations'

/** Signs in a browser that a signed-in device lets in, for people who get no code. */
export function OtherDevice({ redirect }: { redirect: string }) {
  const begin = useMutation(beginOtherMutation())
  const code = begin.data
  const state = useQuery({
    queryKey: ['other-device', code?.deviceCode],
    queryFn: () => finishOther(code!.deviceCode),
    enabled: code !== undefined,
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data === 'waiting' ? (code?.interval ?? 5) * 1000 + 500 : false,
    refetchIntervalInBackground: true,
    retry: false,
    gcTime: 0,
  }).data
  useEffect(() => {
    // a whole page, because the person is another one now
    if (state === 'done') openPage(redirect)
  }, [state, redirect])
  const ended = state === 'refused' || state === 'over'
  return (
    <Box mt="sm" ta="center">
      {code && !ended && (
        <div role="status">
          <Text fz="sm">
            {login.other.title} <b>{code.verificationUrl}</b>
          </Text>
          <Text ff="monospace" fz={24} fw={600} lts="0.1em">
            {code.userCode}
          </Text>
          <Text fz="sm">{login.other.waiting}</Text>
        </div>
      )}
      {ended && (
        <Text role="alert" fz="sm">
          {state === 'refused' ? login.other.refused : login.other.over}
        </Text>
      )}
      {(!code || ended) && (
        <Button size="sm" variant="subtle" fullWidth loading={begin.isPending} onClick={() => begin.mutate()}>
          {login.other.open}
        </Button>
      )}
    </Box>
  )
}
