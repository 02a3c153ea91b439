import { Box, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { IconArchive, IconChevronDown, IconMailOpened } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useEffect, useId, useRef, useState } from 'react'
import { subscriptionsQuery } from '../../data/subscriptions'
import { words } from '../../i18n/words'
import { timeLabel } from '../../lib/dates'
import { iconOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Menu } from '../../ui/Menu'
import { cardStandsFor, focusNextTo } from './cards'
import { Moment } from '../../ui/Moment'
import classes from './feed.module.css'
import { countOf } from './groupCount'
import type { ListOf } from './NotificationDays'
import { TuneQuestion } from './TuneQuestion'
import { useGroupDeeds } from './useGroupDeeds'
import type { NotificationActions } from './useNotificationActions'
import { useTuning } from './useTuning'

type Props = {
  /** What is loaded of the group, newest first. */
  group: readonly Notification[]
  /** What has a row of its own. */
  alone: readonly Notification[]
  select?: NotificationActions['select']
  openId?: string
  listOf: ListOf
}

/** All that a channel has unread, as one card that opens to a list. */
export default function GroupCard({ group, alone, openId, select, listOf }: Props) {
  const { channel, title, publishedAt } = group[0]!
  const { data: subscriptions = [] } = useQuery(subscriptionsQuery())
  const card = useRef<HTMLElement>(null)
  const [titleId, listId] = [useId(), useId()]
  const [open, setOpen] = useState(false)
  const [led, setLed] = useState<string>()
  const count = countOf(channel, alone, subscriptions)
  // a push leads to one of them; set while rendering, so that no frame shows the list without it
  if (openId !== led) {
    setLed(openId)
    if (group.some(({ id }) => id === openId)) setOpen(true)
  }
  const deeds = useGroupDeeds(channel, group, count)
  const tuning = useTuning(channel)
  const archive = () => {
    focusNextTo(card.current!)
    return deeds.archive()
  }
  useEffect(() => cardStandsFor(card.current!, { ...deeds, archive }))
  return (
    <Box component="article" ref={card} className={classes.group} data-group={channel.id}>
      <Box
        className={classes.card}
        mod={{ unread: count > 0 }}
        onClick={({ target }: MouseEvent) => isFree(target) && setOpen(!open)}
      >
        <Text span w="40px" pt={2}>
          <ChannelIcon icon={iconOf(channel)} name={channel.name} size={40} />
        </Text>
        <div className={classes.content}>
          <div className={classes.meta}>
            <h3 className={classes.channel}>
              <UnstyledButton
                id={titleId}
                dir="auto"
                className={classes.open}
                aria-expanded={open}
                aria-controls={open ? listId : undefined}
                onClick={() => setOpen(!open)}
              >
                {channel.name}
                {count > 0 && (
                  <VisuallyHidden>
                    {', '}
                    {words.feed.unreadCount(count)}
                  </VisuallyHidden>
                )}
              </UnstyledButton>
            </h3>
            {count > 0 && (
              <span className={classes.count} aria-hidden>
                {words.number(count)}
              </span>
            )}
            {publishedAt && <Latest at={publishedAt} />}
          </div>
          <p className={classes.latest}>
            <span dir="auto">{title}</span>
            <IconChevronDown size={20} aria-hidden />
          </p>
        </div>
        <div className={classes.tools}>
          <Menu
            label={words.feed.options}
            describedBy={titleId}
            items={() => [
              { label: words.feed.markChannel, icon: <IconMailOpened size={20} />, onClick: deeds.read },
              { label: words.feed.archiveChannel, icon: <IconArchive size={20} />, onClick: () => void archive() },
              ...tuning.items(),
            ]}
          />
          {tuning.sheet}
        </div>
      </Box>
      {open && (
        <div id={listId} className={classes.grouped}>
          <TuneQuestion channel={channel} count={count} tuning={tuning} />
          {listOf(channel, { openId, select })}
        </div>
      )}
    </Box>
  )
}

/** When the latest was published, on narrow screens without words. */
function Latest({ at }: { at: string }) {
  return (
    <>
      <Moment at={at} className={`${classes.moment} ${classes.since}`} />
      <Moment at={at} label={(date) => words.feed.latest(timeLabel(date))} className={classes.moment} />
    </>
  )
}

const isFree = (target: EventTarget) => !(target as Element).closest('a, button')
