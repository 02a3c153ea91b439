import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { ApiError, NetworkError } from '@sininho/sdk'
import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useState, useTransition } from 'react'
import { env } from '../../env'
import { words } from '../../i18n/words'
import { followRelease, isMissingPart } from '../../lib/release'
import { LinkButton } from '../../ui/LinkButton'
import { PageTitle } from '../../ui/PageTitle'
import { ListSkeleton } from '../../ui/skeletons'
import { useOnline } from '../../ui/useOnline'
import classes from './fallbacks.module.css'

type NoticeProps = { title: string; role?: 'alert'; children?: ReactNode }

const Notice = ({ title, role, children }: NoticeProps) => (
  <Stack role={role} align="flex-start" maw={640} py={24}>
    <PageTitle>{title}</PageTitle>
    {children}
  </Stack>
)

const Hint = ({ children }: { children: ReactNode }) => (
  <Text maw="46ch" c="dimmed" textWrap="balance">
    {children}
  </Text>
)

/** Shown when rendering fails. The details are hidden until requested; what could not be fetched says why at once. */
function Failure({ heading, error, reset }: ErrorComponentProps & { heading: string }) {
  const router = useRouter()
  const client = useQueryClient()
  const [shown, setShown] = useState(false)
  const [trying, startTrying] = useTransition()
  const online = useOnline()
  const following = useFollowedRelease(error)
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
  if (following) return <RoutePending />
  if (error instanceof NetworkError || error instanceof ApiError)
    return (
      <Notice role="alert" title={words.errors.list}>
        <Hint>{error.message}</Hint>
        <Button size="sm" loading={trying} onClick={again}>
          {words.tryAgain}
        </Button>
      </Notice>
    )
  return (
    <Notice role="alert" title={heading}>
      <Group justify="center">
        <Button size="sm" loading={trying} onClick={again}>
          {words.tryAgain}
        </Button>
        <Button size="sm" variant="default" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? words.fallback.hide : words.fallback.show}
        </Button>
      </Group>
      <Hint>
        <Support words={words.fallback.support} />
      </Hint>
      {shown && (
        <Code block maw="100%" p={16}>
          {error instanceof Error ? error.message : String(error)}
        </Code>
      )}
    </Notice>
  )
}

/** Reloads the page when a new release is the cause of an error. Returns true until it is known not to be. */
function useFollowedRelease(error: unknown): boolean {
  const [following, setFollowing] = useState(() => isMissingPart(error))
  useEffect(() => void followRelease(error).then(setFollowing), [error])
  return following
}

export const RouteError = (props: ErrorComponentProps) => <Failure {...props} heading={words.fallback.route} />
export const ShellError = (props: ErrorComponentProps) => <Failure {...props} heading={words.fallback.shell} />

/** Tells people to contact the support, where the installation has one. */
function Support({ words }: { words: string }) {
  const { SUPPORT_URL } = env()
  return SUPPORT_URL && <a href={SUPPORT_URL}>{words}</a>
}

/** Shown when a screen finds nothing and has no text of its own for that. */
export const NotFoundText = () => <Notice title={words.fallback.notFound} />

export function NotFoundScreen() {
  const router = useRouter()
  return (
    <Stack align="center" justify="center" maw={640} mih="min(72vh, 40rem)" mx="auto" py={24} ta="center">
      <p className={classes.code}>{words.notFound.code}</p>
      <PageTitle>{words.notFound.title}</PageTitle>
      <Hint>
        {words.notFound.text} <Support words={words.notFound.support} />
      </Hint>
      <Group justify="center">
        <Button onClick={() => void router.navigate({ to: '/' })}>{words.notFound.home}</Button>
        <LinkButton to="/channels" variant="default">
          {words.index.all}
        </LinkButton>
      </Group>
    </Stack>
  )
}

/** Shown without a connection while no screen is loaded that could report it. */
const OfflineScreen = () => (
  <Notice title={words.errors.offlineEmpty}>
    <Hint>{words.errors.offlineHint}</Hint>
  </Notice>
)

export function RoutePending() {
  return useOnline() ? <ListSkeleton /> : <OfflineScreen />
}
