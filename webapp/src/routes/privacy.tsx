import { createFileRoute, notFound } from '@tanstack/react-router'
import { policyQuery } from '../data/policies'
import { env } from '../env'
import { Policy } from '../features/policies/Policy'

export const Route = createFileRoute('/privacy')({
  staticData: { plain: true },
  loader: async ({ context: { queryClient } }) => {
    if (env().PRIVACY !== '/privacy') throw notFound()
    await queryClient.ensureQueryData(policyQuery('privacy'))
  },
  component: () => <Policy name="privacy" />,
})
