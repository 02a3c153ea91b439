import { mutationOptions } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import { api, call } from '../../lib/api'

/** Confirms or refuses what waits with the code. */
export const answerDeviceMutation = (userCode: string) =>
  mutationOptions({
    mutationFn: (approve: boolean) => call(api().POST('/auth/device/approve', { body: { userCode, approve } })),
    meta: { errorMessage: pt.device.failed },
  })
