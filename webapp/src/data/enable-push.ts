import { mutationOptions } from '@tanstack/react-query'
import { push } from '../i18n/push'
import { enablePush } from '../lib/push/registration'
import { deviceKeys } from './devices'

/**
 * The reason of a failure is explained beside the button, see PushError. Success is announced by the first push, which
 * shows that the device rings.
 */
export const enablePushMutation = () =>
  mutationOptions({
    mutationFn: () => enablePush(),
    meta: { invalidates: [deviceKeys.all], errorMessage: push.failed },
  })
