import type { Device } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { showAtOnce } from '../../data/at-once'
import { deviceKeys } from '../../data/devices'
import { devices, push } from '../../i18n/push'
import { api, call } from '../../lib/api'
import { forgetPush, stopRegistering } from '../../lib/push/registration'

const remove = (id: string) => call(api().DELETE('/subscribers/devices/{id}', { params: { path: { id } } }))

export const disablePushMutation = () =>
  mutationOptions({
    mutationFn: async (id: string) => {
      await stopRegistering() // otherwise a registration in progress could add the device again
      await remove(id)
      await forgetPush()
    },
    meta: {
      invalidates: [deviceKeys.all],
      successMessage: push.disabled,
      errorMessage: devices.removeFailed,
    },
  })

export const removeDeviceMutation = () =>
  mutationOptions({
    mutationFn: remove,
    onMutate: (id, { client }) =>
      showAtOnce<Device[]>(client, deviceKeys.all, (all) => all.filter((each) => each.id !== id)),
    meta: {
      invalidates: [deviceKeys.all],
      successMessage: devices.removed,
      errorMessage: devices.removeFailed,
    },
  })

export const renameDeviceMutation = () =>
  mutationOptions({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      call(api().PATCH('/subscribers/devices/{id}', { params: { path: { id } }, body: { name } })),
    onMutate: ({ id, name }, { client }) =>
      showAtOnce<Device[]>(client, deviceKeys.all, (all) =>
        all.map((each) => (each.id === id ? { ...each, name } : each)),
      ),
    meta: { invalidates: [deviceKeys.all], errorMessage: devices.renameFailed },
  })

export const testDeviceMutation = () =>
  mutationOptions({
    mutationFn: async ({ id }: Device) => {
      const { outcome, cause } = await call(api().POST('/subscribers/devices/{id}/test', { params: { path: { id } } }))
      if (outcome === 'failed') throw new Error(devices[cause === 'unavailable' ? 'testUnreachable' : 'testFailed'])
    },
    meta: { invalidates: [deviceKeys.all], successMessage: devices.testSent },
  })
