import type { Notification } from '@sininho/sdk'
import { IconArchive, IconArchiveOff, IconMail, IconMailOpened } from '@tabler/icons-react'
import { type CSSProperties, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { swipe as words } from '../../i18n/swipe'
import { focusNextTo, groupOf, notificationOf } from './cards'
import classes from './feed.module.css'
import { collapse, slide } from './slides'
import { watchSwipes } from './swipes'
import { useNotificationActions } from './useNotificationActions'
import { useSnoozing } from './useSnoozing'

const deeds = {
  archive: { word: words.archive, Icon: IconArchive },
  restore: { word: words.restore, Icon: IconArchiveOff },
  back: { word: words.back, Icon: IconArchiveOff },
  read: { word: words.read, Icon: IconMailOpened },
  unread: { word: words.unread, Icon: IconMail },
}

type Deed = keyof typeof deeds
type Swiped = { deed: Deed; past: boolean; box: CSSProperties }

/** Pixels from which a release acts, less on narrow cards. */
const far = 112

const isPast = (card: HTMLElement, by: number) => Math.abs(by) > Math.min(far, card.offsetWidth * 0.3)

/**
 * Triage by touch. A card that is swiped to the left is archived, or brought back; to the right it is marked as read or
 * unread. `leaves` is true where archiving takes it out of the list.
 */
export default function Swipe({ leaves }: { leaves: boolean }) {
  const actions = useNotificationActions()
  const { bringBack } = useSnoozing()
  const under = useRef<HTMLDivElement>(null)
  const ending = useRef(false)
  const [swiped, setSwiped] = useState<Swiped>()

  const deedOf = (card: HTMLElement, by: number): Deed => {
    const item = notificationOf(card)
    if (groupOf(card)) return by < 0 ? 'archive' : 'read'
    if (by < 0) return putAwayDeed(item)
    return item?.readAt ? 'unread' : 'read'
  }
  const move = useEffectEvent((card: HTMLElement, by: number) => {
    if (ending.current) return
    const [deed, past] = [deedOf(card, by), isPast(card, by)]
    if (!swiped) card.dataset.swiped = ''
    if (swiped?.deed !== deed || swiped.past !== past)
      setSwiped({ deed, past, box: swiped?.box ?? boxOf(card, under.current!.parentElement!) })
    card.style.transform = `translateX(${by}px)`
  })
  const act = (card: HTMLElement, deed: Deed) => {
    const [group, item] = [groupOf(card), notificationOf(card)]
    const id = item?.id ?? ''
    if (deed === 'back') return item && bringBack(item)
    if (deed === 'read' || deed === 'unread') return group ? group.read() : actions.setRead(id, deed === 'read')
    return group ? group.archive() : actions.archive(id, deed === 'archive')
  }
  const end = useEffectEvent(async (card: HTMLElement, by: number) => {
    if (ending.current) return
    ending.current = true
    const deed = isPast(card, by) ? deedOf(card, by) : undefined
    const away = deed === 'archive' || deed === 'restore' || deed === 'back'
    if (deed && !away) void act(card, deed)
    const gaps: Animation[] = []
    if (away && leaves) {
      await slide(card, -card.offsetWidth)
      gaps.push(collapse(card), collapse(under.current!))
      await Promise.all(gaps.map(({ finished }) => finished))
    } else {
      await slide(card, 0)
      delete card.dataset.swiped
    }
    if (away && card.contains(document.activeElement)) focusNextTo(card)
    if (away) await act(card, deed)
    flushSync(() => setSwiped(undefined))
    gaps[1]?.cancel() // the next card that is swiped has the same element under it
    ending.current = false
  })
  useLayoutEffect(() => {
    const list = under.current!.parentElement!
    list.classList.add(classes.swipes!)
    const stop = watchSwipes(list, { move: (card, by) => move(card, by), end: (card, by) => void end(card, by) })
    return () => {
      list.classList.remove(classes.swipes!)
      stop()
    }
  }, [])

  const { word, Icon } = deeds[swiped?.deed ?? 'archive']
  return (
    <div
      ref={under}
      aria-hidden
      hidden={!swiped}
      className={classes.under}
      style={swiped?.box}
      data-deed={swiped?.deed}
      data-past={swiped?.past || undefined}
    >
      <Icon size={22} />
      {word}
    </div>
  )
}

/** What a swipe to the left does. */
const putAwayDeed = (item?: Notification): Deed =>
  item?.snoozedUntil ? 'back' : item?.archivedAt ? 'restore' : 'archive'

/** The place of a card in the list, before it moves. */
function boxOf(card: HTMLElement, list: HTMLElement): CSSProperties {
  const { left, top, width, height } = card.getBoundingClientRect()
  const within = list.getBoundingClientRect()
  const { borderRadius } = getComputedStyle(card)
  return { left: left - within.left, top: top - within.top, width, height, borderRadius }
}
