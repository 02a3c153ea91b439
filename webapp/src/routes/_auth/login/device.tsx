import { createFileRoute } from '@tanstack/react-router'
import { DeviceSignIn } from '../../../features/device/DeviceSignIn'

export const Route = createFileRoute('/_auth/login/device')({
  staticData: { plain: true },
  component: DeviceSignIn,
})
