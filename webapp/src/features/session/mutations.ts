import { mutationOptions } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import { api, call } from '../../lib/api'
import { forgetPush } from '../../lib/push/registration'

/** Ends the session. The server detaches the session's device, and the browser deletes its push address. */
export const signOutMutation = () =>
  mutationOptions({
    mutationFn: async () => {
      await call(api().DELETE('/auth'))
      await forgetPush()
    },
    meta: { errorMessage: pt.settings.signOutFailed },
  })
