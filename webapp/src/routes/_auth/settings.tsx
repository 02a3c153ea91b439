import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Outlet, createFileRoute, useParams } from '@tanstack/react-router'
import { authQuery } from '../../data/session'
import { useAnonymous } from '../../data/useSignedIn'
import { SaveButton } from '../../features/receiving/SaveButton'
import { SignOutButton } from '../../features/session/SignOutButton'
import { SectionList } from '../../features/settings/SectionList'
import { SectionPane } from '../../features/settings/SectionPane'
import type { SectionName } from '../../features/settings/section'
import { words } from '../../i18n/words'
import { PageTitle } from '../../ui/PageTitle'
import { useTwoPanes } from '../../ui/useWide'
import { sections, sectionsWithout } from '../-settings'
import classes from '../routes.module.css'

export const Route = createFileRoute('/_auth/settings')({
  loader: async ({ context: { queryClient }, location: { pathname } }) => {
    if (pathname !== '/settings') return
    const { open, sections } = await import('../-settings')
    await open(sections[0], queryClient)
  },
  component: Settings,
})

/** On phones the list of sections or one of them, otherwise both, at first with the first section. */
function Settings() {
  const twoPanes = useTwoPanes()
  const shown = useParams({ strict: false, select: ({ section }) => section as SectionName | undefined })
  const anonymous = useAnonymous()
  const operator = useQuery(authQuery()).data?.operator
  if (shown && !twoPanes) return <Outlet />
  return (
    <div className={classes.settings}>
      <Stack className={classes.sections}>
        {shown ? (
          <Text fz={28} fw={700} lh={1.2}>
            {words.settings.title}
          </Text>
        ) : (
          <PageTitle>{words.settings.title}</PageTitle>
        )}
        <SectionList
          sections={sectionsWithout(anonymous)}
          current={twoPanes ? (shown ?? sections[0].name) : undefined}
          operator={operator}
        >
          {anonymous ? <SaveButton /> : <SignOutButton />}
        </SectionList>
      </Stack>
      {shown ? <Outlet /> : twoPanes && <SectionPane section={sections[0]} place="first" />}
    </div>
  )
}
