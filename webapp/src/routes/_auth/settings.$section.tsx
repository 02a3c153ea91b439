import { createFileRoute, notFound } from '@tanstack/react-router'
import { SectionPane } from '../../features/settings/SectionPane'
import { useTwoPanes } from '../../ui/useWide'
import { sections } from '../-settings'

/** All sections are one route, because every route is part of what `/` loads. */
export const Route = createFileRoute('/_auth/settings/$section')({
  loader: async ({ context: { queryClient }, params }) => {
    const { open, sections } = await import('../-settings')
    const section = sections.find(({ name }) => name === params.section)
    if (!section) throw notFound()
    await open(section, queryClient)
  },
  component: Section,
})

function Section() {
  const name = Route.useParams({ select: ({ section }) => section })
  const twoPanes = useTwoPanes()
  const section = sections.find((each) => each.name === name)
  return section && <SectionPane key={name} section={section} place={twoPanes ? 'beside' : 'screen'} />
}
