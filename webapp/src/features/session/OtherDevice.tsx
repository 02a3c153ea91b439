import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { login } from '../../i18n/login'
import { openPage } from '../../lib/page'
import { Button } from '../../ui/Button'
import classes from './OtherDevice.module.css'
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
    <div className={classes.other}>
      {code && !ended && (
        <div role="status">
          <p className={classes.text}>
            {login.other.title} <b>{code.verificationUrl}</b>
          </p>
          <p className={classes.code}>{code.userCode}</p>
          <p className={classes.text}>{login.other.waiting}</p>
        </div>
      )}
      {ended && (
        <p role="alert" className={classes.text}>
          {state === 'refused' ? login.other.refused : login.other.over}
        </p>
      )}
      {(!code || ended) && (
        <Button variant="subtle" fullWidth loading={begin.isPending} onClick={() => begin.mutate()}>
          {login.other.open}
        </Button>
      )}
    </div>
  )
}
