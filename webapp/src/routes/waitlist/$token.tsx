import { createFileRoute } from '@tanstack/react-router'
import { placeQuery } from '../../data/waitlist'
import { Leave } from '../../features/waitlist/Leave'
import { Place } from '../../features/waitlist/Place'

type Search = { leave?: string }

export const Route = createFileRoute('/waitlist/$token')({
  staticData: { plain: true },
  validateSearch: ({ leave }: Record<string, unknown>): Search => ({ leave: leave === 'true' ? leave : undefined }),
  loaderDeps: ({ search: { leave } }) => ({ leave }),
  loader: ({ context: { queryClient }, params, deps: { leave } }) => {
    // fetching the entry confirms it, which a person who leaves does not want
    if (!leave) void queryClient.prefetchQuery(placeQuery(params.token))
  },
  component: Waitlist,
})

function Waitlist() {
  const { token } = Route.useParams()
  const { leave } = Route.useSearch()
  return (
    <>
      {/* the token in the URL is a secret; these repeat the server's headers for pages served without them */}
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      {leave ? <Leave key={token} token={token} /> : <Place key={token} token={token} />}
    </>
  )
}
