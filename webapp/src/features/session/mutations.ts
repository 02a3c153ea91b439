import { mutationOptions } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import { api, call } from '../../lib/api'
import { forgetPush } from '../push/registration'

/** Ends the session; the server unbinds its device, and the browser forgets it too. */
export const signOutMutation = () =>
  mutationOptions({
    mutationFn: async () => {
      await call(api().DELETE('/auth'))
      await forgetPush()
    },
    meta: { errorMessage: pt.settings.signOutFailed },
  })
