import { Box, Flex } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect } from 'react'
import { type FeedView, isPublic } from '../../data/notifications'
import { words } from '../../i18n/words'
import { whenIdle } from '../../lib/idle'
import { PageTitle } from '../../ui/PageTitle'
import { ifLoaded, onDemand } from '../../ui/onDemand'
import { ListSkeleton } from '../../ui/skeletons'
import classes from './feed.module.css'
import { FeedSearch } from './FeedSearch'
import { FeedToolbar } from './FeedToolbar'
import { LoadedNotifications } from './LoadedNotifications'
import { openMutation } from './mutations'
import { useBeside } from './useBeside'
import { useOpening } from './useOpening'
import { useShown } from './useShown'

const OpenedNotification = onDemand(() => import('./OpenedNotification'))
// if it cannot be loaded, as offline, choosing a notification only marks it as read
const loadPane = () => import('./ReadingPane')
const ReadingPane = ifLoaded(loadPane, <ListSkeleton rows={1} />)
const loadEmpty = () => import('./EmptyFeed')
const EmptyFeed = ifLoaded(loadEmpty)
const ReadAll = ifLoaded(() => import('./ReadAll'), <Box h={44} />)

/** Loads what the feed does without at first. */
const later = <Module,>(load: () => Promise<Module>) => new Promise<void>((resolve) => whenIdle(resolve)).then(load)
const FeedKeys = ifLoaded(() => later(() => import('./FeedKeys')))
const Swipe = ifLoaded(() => later(() => import('./Swipe')))

type Props = {
  view: FeedView
  /** The id of the notification in the address. */
  openId?: string
  /** Actions for the shown channel. */
  actions?: ReactNode
  /** Selects the channel to show. */
  channels: ReactNode
  notice?: ReactNode
}

/** The notifications of all followed channels, or of one channel. */
export function Feed({ view, openId, actions, channels, notice }: Props) {
  /** The list follows when the rest of the screen has answered. */
  const listView = useDeferredValue(view)
  const { mutate: open } = useMutation(openMutation())
  const { loaded, channel, followed, unread } = useShown(view)
  const listed = loaded?.find(({ id }) => id === openId)
  const { beside, show, select } = useBeside(openId)
  const wide = show !== undefined
  useOpening(listed, open)
  useEffect(() => {
    whenIdle(() => void Promise.all([loadEmpty(), wide && loadPane()]).catch(() => undefined))
  }, [wide])

  return (
    <Box className={classes.page} mod={{ reading: beside !== undefined }}>
      <div className={classes.head}>
        <PageTitle unread={unread} actions={actions}>
          {channel?.name ?? words.feed.title}
        </PageTitle>
        {notice}
        <FeedSearch view={view} />
      </div>
      <div className={classes.side}>
        {beside && <ReadingPane key={beside} id={beside} onClose={() => show?.(undefined)} />}
        {channels}
      </div>
      <Flex direction="column" className={classes.main}>
        <FeedToolbar view={view}>
          <ReadAll view={view} channelId={channel?.id} unread={unread} loaded={loaded} />
          <FeedKeys view={view} followed={followed} beside={beside} show={show} />
        </FeedToolbar>
        {followed && navigator.maxTouchPoints > 0 && <Swipe leaves={!isPublic(view)} />}
        {openId && !beside && loaded && !listed && <OpenedNotification id={openId} />}
        <LoadedNotifications
          key={JSON.stringify(listView)}
          view={listView}
          followed={followed}
          openId={openId}
          empty={<EmptyFeed view={listView} />}
          select={select}
        />
      </Flex>
    </Box>
  )
}
