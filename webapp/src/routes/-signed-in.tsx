import { type MutationOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { keep, restoreQueue } from '../data/kept'
import { authQuery } from '../data/session'
import { bellMutation, followMutation, unfollowMutation } from '../data/following'
import {
  archiveMutation,
  openMutation,
  readAllMutation,
  setReadMutation,
  undoArchiveMutation,
} from '../features/feed/mutations'
import { snoozeMutation, undoSnoozeMutation } from '../features/feed/snoozing'
import { useFollowIntent } from '../features/channels/useFollowIntent'
import { useLiveFeed } from '../features/feed/useLiveFeed'
import { useAppBadge } from '../features/push/useAppBadge'
import { useForegroundPush } from '../features/push/useForegroundPush'
import { useShownNotifications } from '../features/push/useShownNotifications'
import { languageOf, speak } from '../lib/language'

/** Background work of every screen for signed-in people; not loaded for visitors. Renders nothing. */
export default function SignedIn() {
  useKept()
  useLanguage()
  useLiveFeed()
  useForegroundPush()
  useShownNotifications()
  useAppBadge()
  useFollowIntent()
  return null
}

/** Speaks the person's language. */
function useLanguage() {
  const { data, isStale } = useQuery(authQuery())
  const locale = data?.subscriber?.locale
  useEffect(() => {
    // what was kept of an earlier visit may be outdated
    const wanted = locale && !isStale && languageOf(locale)
    if (wanted) speak(wanted)
  }, [locale, isStale])
}

/** Keeps what is loaded and what waits for a connection, and carries out what still waits since an earlier visit. */
function useKept() {
  const client = useQueryClient()
  useEffect(() => {
    const knows = <Data, Variables, Context>(options: MutationOptions<Data, Error, Variables, Context>) =>
      client.setMutationDefaults(options.mutationKey ?? [], options)
    knows(openMutation())
    knows(setReadMutation())
    knows(readAllMutation())
    knows(archiveMutation())
    knows(undoArchiveMutation())
    knows(snoozeMutation())
    knows(undoSnoozeMutation())
    knows(followMutation())
    knows(unfollowMutation())
    knows(bellMutation())
    const stops = [restoreQueue(client), keep(client)]
    return () => stops.forEach((stop) => stop())
  }, [client])
}
