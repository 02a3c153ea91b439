import { useQuery } from '@tanstack/react-query'
import { publisherQuery } from '../../data/publishers'
import { discovery } from '../../i18n/discovery'
import { publisherPageOf } from '../../lib/paths'
import { LinkButton } from '../../ui/LinkButton'

/** Leads from the address of a missing channel to its publisher. Renders nothing unless that exists. */
export function ToPublisher({ slug }: { slug: string }) {
  const { data: publisher } = useQuery(publisherQuery(slug))
  if (!publisher) return null
  return (
    <LinkButton size="sm" {...publisherPageOf(slug)}>
      {discovery.publisher.see(publisher.name)}
    </LinkButton>
  )
}
