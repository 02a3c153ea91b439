import { createFileRoute } from '@tanstack/react-router'
import { Leave } from '../../features/waitlist/Leave'
import { Place } from '../../features/waitlist/Place'
import { placeQuery } from '../../features/waitlist/queries'

type Search = { leave?: string }

export const Route = createFileRoute('/waitlist/$token')({
  staticData: { plain: true },
  validateSearch: ({ leave }: Record<string, unknown>): Search => ({ leave: leave === 'true' ? leave : undefined }),
  loaderDeps: ({ search: { leave } }) => ({ leave }),
  loader: ({ context: { queryClient }, params, deps: { leave } }) => {
    // to look is to confirm, which is not what who leaves has come for
    if (!leave) void queryClient.prefetchQuery(placeQuery(params.token))
  },
  component: Waitlist,
})

function Waitlist() {
  const { token } = Route.useParams()
  const { leave } = Route.useSearch()
  return (
    <>
      {/* for who comes here without the server's headers; the address is a secret */}
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      {leave ? <Leave key={token} token={token} /> : <Place key={token} token={token} />}
    </>
  )
}
