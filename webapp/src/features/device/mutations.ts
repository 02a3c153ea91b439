import { mutationOptions } from '@tanstack/react-query'
import { device } from '../../i18n/device'
import { api, call } from '../../lib/api'

/** Approves or refuses the sign-in request with this code. */
export const decideDeviceMutation = (userCode: string) =>
  mutationOptions({
    mutationFn: (approve: boolean) => call(api().POST('/auth/device/approve', { body: { userCode, approve } })),
    meta: { errorMessage: device.failed },
  })
