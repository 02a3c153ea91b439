import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { publisherQuery } from '../../data/publishers'
import { discovery } from '../../i18n/discovery'
import { publisherPageOf } from '../../lib/paths'

/** Leads from the address of a missing channel to its publisher. Renders nothing unless that exists. */
export function ToPublisher({ slug }: { slug: string }) {
  const { data: publisher } = useQuery(publisherQuery(slug))
  if (!publisher) return null
  return (
    <Button size="sm" renderRoot={(props) => <Link {...props} {...publisherPageOf(slug)} />}>
      {discovery.publisher.see(publisher.name)}
    </Button>
  )
}
