import { createFileRoute } from '@tanstack/react-router'
import { DeviceSignIn } from '../../../features/device/DeviceSignIn'
import { focusHeading } from '../../../lib/focus'

type Search = { code?: string }

export const Route = createFileRoute('/_auth/login/device')({
  staticData: { plain: true },
  validateSearch: ({ code }: Record<string, unknown>): Search => ({
    code: typeof code === 'string' ? code : undefined,
  }),
  component: Device,
})

function Device() {
  const { code } = Route.useSearch()
  const navigate = Route.useNavigate()
  return <DeviceSignIn code={code} onCode={(next) => void navigate({ search: { code: next } }).then(focusHeading)} />
}
