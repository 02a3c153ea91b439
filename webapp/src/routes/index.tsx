import { Box, SimpleGrid, Stack, Text } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { categoriesQuery } from '../data/categories'
import { suggestedQuery } from '../data/channels'
import { useEntrance } from '../data/useEntrance'
import { isReferral, keepReferral } from '../features/waitlist/referral'
import { words } from '../i18n/words'
import { ArrivingNotification } from '../ui/ArrivingNotification'
import { LinkButton } from '../ui/LinkButton'
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
  const { name, ...entrance } = useEntrance()
  return (
    <>
      <section className={classes.hero}>
        <Stack gap={24}>
          <PageTitle className={classes.slogan}>{words.index.title}</PageTitle>
          <Text maw="48ch" c="dimmed" fz={19}>
            {words.index.text}
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={12} w={{ sm: 'fit-content' }}>
            <LinkButton {...entrance} size="lg">
              {words.index[name]}
            </LinkButton>
            <LinkButton to="/demo" size="lg" variant="default">
              {words.index.demo}
            </LinkButton>
          </SimpleGrid>
        </Stack>
        <ArrivingNotification />
      </section>
      <Below />
    </>
  )
}
