import { mutationOptions } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import { api, call } from '../../lib/api'
import { pushKeys } from './queries'
import { enablePush, forgetPush } from './registration'

/** What stands in the way is said at length beside the button, see PushError. */
export const enablePushMutation = () =>
  mutationOptions({
    mutationFn: enablePush,
    meta: { invalidates: [pushKeys.devices], successMessage: pt.push.enabled, errorMessage: pt.push.failed },
  })

const remove = (id: string) => call(api().DELETE('/subscribers/devices/{id}', { params: { path: { id } } }))

export const disablePushMutation = () =>
  mutationOptions({
    mutationFn: async (id: string) => {
      await remove(id)
      await forgetPush()
    },
    meta: {
      invalidates: [pushKeys.devices],
      successMessage: pt.push.disabled,
      errorMessage: pt.devices.removeFailed,
    },
  })

export const removeDeviceMutation = () =>
  mutationOptions({
    mutationFn: remove,
    meta: {
      invalidates: [pushKeys.devices],
      successMessage: pt.devices.removed,
      errorMessage: pt.devices.removeFailed,
    },
  })

export const testDeviceMutation = () =>
  mutationOptions({
    mutationFn: async (id: string) => {
      const { outcome } = await call(api().POST('/subscribers/devices/{id}/test', { params: { path: { id } } }))
      if (outcome === 'failed') throw new Error(pt.devices.testFailed)
    },
    meta: { invalidates: [pushKeys.devices], successMessage: pt.devices.testSent },
  })
