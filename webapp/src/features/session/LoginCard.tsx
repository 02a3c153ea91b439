import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { pt } from '../../i18n/pt'
import { Card } from '../../ui/Card'
import { GoogleMark } from './GoogleMark'
import classes from './LoginCard.module.css'

type Props = { googleUrl: string; failed?: boolean; ended?: boolean }

/** One card and one way in, in the colours and words that Google asks for. */
export function LoginCard({ googleUrl, failed = false, ended = false }: Props) {
  const [leaving, setLeaving] = useState(false)
  // coming back with the browser's button restores the page as it was left
  useEffect(() => {
    const back = () => setLeaving(false)
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])
  return (
    <Card icon={<img src="/favicon.svg" alt="" width={56} height={56} />} title={pt.login.title}>
      <p className={classes.text}>{ended ? pt.login.ended : pt.login.text}</p>
      {failed && !leaving && (
        <p role="alert" className={classes.error}>
          <IconAlertCircle size={20} aria-hidden />
          {pt.login.failed}
        </p>
      )}
      <Button
        component="a"
        href={googleUrl}
        onClick={() => setLeaving(true)}
        aria-busy={leaving}
        className={classes.google}
        leftSection={<GoogleMark />}
        variant="default"
        size="md"
        fullWidth
      >
        {leaving ? pt.login.pending : pt.login.google}
      </Button>
      <p className={classes.note}>{pt.login.note}</p>
    </Card>
  )
}
