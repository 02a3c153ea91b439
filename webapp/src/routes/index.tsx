import { Link, createFileRoute } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { categoriesQuery } from '../data/categories'
import { suggestedQuery } from '../data/channels'
import { useSignedIn } from '../data/useSignedIn'
import { isWaitlisted } from '../env'
import { isReferral, keepReferral } from '../features/waitlist/referral'
import { words } from '../i18n/words'
import { waitlistAnchor } from '../lib/paths'
import { ArrivingNotification } from '../ui/ArrivingNotification'
import { Button } from '../ui/Button'
import { PageTitle } from '../ui/PageTitle'
import classes from './index.module.css'

const Below = lazy(() => import('./-below'))

type Search = { ref?: string }

export const Route = createFileRoute('/')({
  staticData: { plain: true },
  validateSearch: ({ ref }: Record<string, unknown>): Search => ({ ref: isReferral(ref) ? ref : undefined }),
  beforeLoad: ({ search: { ref } }) => {
    if (ref) keepReferral(ref)
  },
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(categoriesQuery())
    void queryClient.prefetchQuery(suggestedQuery())
  },
  component: Index,
})

function Index() {
  const start = useStart()
  return (
    <>
      <section className={classes.hero}>
        <div className={classes.words}>
          <PageTitle className={classes.title}>{words.index.title}</PageTitle>
          <p className={classes.text}>{words.index.text}</p>
          <div className={classes.actions}>
            <Button component={Link} to={start.to} hash={start.hash} size="lg">
              {start.label}
            </Button>
            <Button component={Link} to="/demo" size="lg" variant="default">
              {words.index.demo}
            </Button>
          </div>
        </div>
        <ArrivingNotification />
      </section>
      <Suspense fallback={<div className={classes.below} />}>
        <Below />
      </Suspense>
    </>
  )
}

/** Leads to the feed, to sign-in, or to the waiting list where signing up needs an invitation. */
function useStart(): { to: string; hash?: string; label: string } {
  const signedIn = useSignedIn()
  if (signedIn) return { to: '/feed', label: words.index.feed }
  if (isWaitlisted()) return { to: '/', hash: waitlistAnchor, label: words.index.invitation }
  return { to: '/login', label: words.index.start }
}
