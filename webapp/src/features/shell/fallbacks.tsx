import { Button } from '@mantine/core'
import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useState, useTransition } from 'react'
import { env } from '../../env'
import { pt } from '../../i18n/pt'
import { PageTitle } from '../../ui/PageTitle'
import { ListSkeleton } from '../../ui/skeletons'
import { useOnline } from '../../ui/useOnline'
import classes from './fallbacks.module.css'

/** Shown when rendering fails. The details are hidden until requested. */
function Failure({ heading, error, reset }: ErrorComponentProps & { heading: string }) {
  const router = useRouter()
  const client = useQueryClient()
  const [shown, setShown] = useState(false)
  const [trying, startTrying] = useTransition()
  const online = useOnline()
  const again = useCallback(
    () =>
      startTrying(async () => {
        // the fetched data itself may be what fails to render: drop the screen's data and fetch the frame's data again
        client.removeQueries({ type: 'inactive' })
        await client.invalidateQueries()
        reset()
        await router.invalidate()
      }),
    [client, reset, router],
  )
  useEffect(() => onlineManager.subscribe((connected) => connected && again()), [again])
  if (!online) return <OfflineScreen />
  return (
    <div className={classes.panel} role="alert">
      <PageTitle>{heading}</PageTitle>
      <div className={classes.actions}>
        <Button loading={trying} onClick={again}>
          {pt.tryAgain}
        </Button>
        <Button variant="default" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? pt.fallback.hide : pt.fallback.show}
        </Button>
      </div>
      <p className={classes.text}>
        <Support words={pt.fallback.support} />
      </p>
      {shown && <pre className={classes.details}>{error instanceof Error ? error.message : String(error)}</pre>}
    </div>
  )
}

export const RouteError = (props: ErrorComponentProps) => <Failure {...props} heading={pt.fallback.route} />
export const ShellError = (props: ErrorComponentProps) => <Failure {...props} heading={pt.fallback.shell} />

/** Tells people to contact the support, where the installation has one. */
function Support({ words }: { words: string }) {
  const { SUPPORT_URL } = env()
  return SUPPORT_URL && <a href={SUPPORT_URL}>{words}</a>
}

/** Shown when a screen finds nothing and has no text of its own for that. */
export function NotFoundText() {
  return (
    <div className={classes.panel}>
      <PageTitle>{pt.fallback.notFound}</PageTitle>
    </div>
  )
}

export function NotFoundScreen() {
  const router = useRouter()
  return (
    <div className={`${classes.panel} ${classes.lost}`}>
      <p className={classes.code}>{pt.notFound.code}</p>
      <PageTitle>{pt.notFound.title}</PageTitle>
      <p className={classes.text}>
        {pt.notFound.text} <Support words={pt.notFound.support} />
      </p>
      <Button size="md" onClick={() => void router.navigate({ to: '/' })}>
        {pt.notFound.home}
      </Button>
    </div>
  )
}

/** Shown without a connection while no screen is loaded that could report it. */
function OfflineScreen() {
  return (
    <div className={classes.panel}>
      <PageTitle>{pt.errors.offlineEmpty}</PageTitle>
      <p className={classes.text}>{pt.errors.offlineHint}</p>
    </div>
  )
}

export function RoutePending() {
  return useOnline() ? <ListSkeleton label={pt.loading} /> : <OfflineScreen />
}
