import { IconBellOff, IconBellRinging } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { push } from '../../i18n/push'
import { PushError } from '../../lib/push/registration'
import { Button } from '../../ui/Button'
import { disablePushMutation, enablePushMutation } from './mutations'
import classes from './PushPanel.module.css'
import { usePush } from './usePush'

/** Shows a sample notification and turns push on or off, or explains why push is not possible here. */
export function PushPanel() {
  const { state, device } = usePush()
  const enable = useMutation(enablePushMutation())
  const disable = useMutation(disablePushMutation())
  const hint = state === 'on' || state === 'off' ? undefined : push[state]
  const failure = enable.error instanceof PushError && enable.error.message !== hint ? enable.error.message : undefined
  return (
    <div className={classes.panel}>
      <p className={classes.text}>{device ? push.enabled : push.text}</p>
      {state === 'off' && (
        <div className={classes.preview} aria-hidden>
          <img src="/icon-192.png" alt="" width={40} height={40} />
          <div>
            <p className={classes.previewTitle}>{push.preview.title}</p>
            <p>{push.preview.body}</p>
          </div>
        </div>
      )}
      {hint && <p className={classes.hint}>{hint}</p>}
      {failure && <p className={classes.hint}>{failure}</p>}
      {device ? (
        <Button
          variant="default"
          size="md"
          leftSection={<IconBellOff size={20} />}
          loading={disable.isPending}
          onClick={() => disable.mutate(device.id)}
        >
          {push.disable}
        </Button>
      ) : (
        state === 'off' && (
          <Button
            size="md"
            leftSection={<IconBellRinging size={20} />}
            loading={enable.isPending}
            onClick={() => enable.mutate()}
          >
            {push.enable}
          </Button>
        )
      )}
    </div>
  )
}
