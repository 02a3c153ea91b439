import { Box, Button, SimpleGrid, Stack, Text } from '@mantine/core'
import { Link, createFileRoute } from '@tanstack/react-router'
import { categoriesQuery } from '../data/categories'
import { suggestedQuery } from '../data/channels'
import { useSignedIn } from '../data/useSignedIn'
import { isWaitlisted } from '../env'
import { isReferral, keepReferral } from '../features/waitlist/referral'
import { words } from '../i18n/words'
import { waitlistAnchor } from '../lib/paths'
import { ArrivingNotification } from '../ui/ArrivingNotification'
import { PageTitle } from '../ui/PageTitle'
import { onDemand } from '../ui/onDemand'
import classes from './routes.module.css'

const Below = onDemand(() => import('./-below'), <Box mih={1400} />)

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
        <Stack gap={24}>
          <PageTitle className={classes.slogan}>{words.index.title}</PageTitle>
          <Text maw="48ch" c="dimmed" fz={19}>
            {words.index.text}
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={12} w={{ sm: 'fit-content' }}>
            <Button component={Link} to={start.to} hash={start.hash} size="lg">
              {start.label}
            </Button>
            <Button component={Link} to="/demo" size="lg" variant="default">
              {words.index.demo}
            </Button>
          </SimpleGrid>
        </Stack>
        <ArrivingNotification />
      </section>
      <Below />
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
