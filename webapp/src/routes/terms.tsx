import { createFileRoute, notFound } from '@tanstack/react-router'
import { policyQuery } from '../data/policies'
import { env } from '../env'
import { Policy } from '../features/policies/Policy'

export const Route = createFileRoute('/terms')({
  staticData: { plain: true },
  loader: async ({ context: { queryClient } }) => {
    if (env().TERMS !== '/terms') throw notFound()
    await queryClient.ensureQueryData(policyQuery('terms'))
  },
  component: () => <Policy name="terms" />,
})
