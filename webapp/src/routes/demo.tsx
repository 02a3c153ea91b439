import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { Command } from '../features/demo/Command'
import { Composer } from '../features/demo/Composer'
import { LiveBadge } from '../features/demo/LiveBadge'
import { demoChannel } from '../features/demo/channel'
import { NotificationList } from '../features/feed/NotificationList'
import { feedQuery } from '../features/feed/queries'
import { useLiveChannel } from '../features/feed/useLiveChannel'
import { pt } from '../i18n/pt'
import { PageTitle } from '../ui/PageTitle'
import classes from './demo.module.css'

export const Route = createFileRoute('/demo')({
  loader: ({ context: { queryClient } }) => void queryClient.prefetchInfiniteQuery(feedQuery(demoChannel)),
  component: Demo,
})

function Demo() {
  const [message, setMessage] = useState<{ title: string; body?: string }>(pt.demo.example)
  const [sent, setSent] = useState<string>()
  const live = useLiveChannel(demoChannel)
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageTitle>{pt.demo.title}</PageTitle>
        <p className={classes.text}>{pt.demo.text}</p>
      </div>
      <div className={classes.compose}>
        <Composer message={message} onChange={setMessage} onSent={setSent} />
        <Command message={message} />
      </div>
      <section aria-label={pt.demo.arrivals} className={classes.arrivals}>
        <div className={classes.arrivalsHead}>
          <h2 className={classes.arrivalsTitle}>{pt.demo.arrivals}</h2>
          <LiveBadge live={live} />
        </div>
        <NotificationList channel={demoChannel} focused={sent} />
      </section>
    </div>
  )
}
