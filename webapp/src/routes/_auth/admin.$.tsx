import { createFileRoute, notFound } from '@tanstack/react-router'
import { authQuery } from '../../data/session'
import { AdminScreen } from '../../features/admin/AdminScreen'
import { NotFoundScreen } from '../../features/shell/fallbacks'

/**
 * The operators' screens; for everyone else they do not exist. They are one route, because every route is part of what
 * `/` loads.
 */
export const Route = createFileRoute('/_auth/admin/$')({
  staticData: { within: '/settings' },
  validateSearch: (search) => search as Record<string, string | undefined>,
  beforeLoad: async ({ context: { queryClient } }) => {
    if (!(await queryClient.ensureQueryData(authQuery())).operator) throw notFound()
  },
  component: Admin,
})

function Admin() {
  const { _splat: name = '' } = Route.useParams()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <AdminScreen
      name={name}
      search={search}
      onSearch={(to) => void navigate({ search: to, replace: true, resetScroll: false })}
      missing={<NotFoundScreen />}
    />
  )
}
