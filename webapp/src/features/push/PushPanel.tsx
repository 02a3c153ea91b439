import { Button } from '@mantine/core'
import { IconBellOff, IconBellRinging } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { devicesQuery } from '../../data/devices'
import { push } from '../../i18n/push'
import { PushError, installationId } from '../../lib/push/registration'
import { pushSupport } from '../../lib/push/support'
import { disablePushMutation, enablePushMutation } from './mutations'
import classes from './PushPanel.module.css'

/** Shows a sample notification and turns push on or off, or explains why push is not possible here. */
export function PushPanel() {
  const devices = useQuery(devicesQuery())
  const enable = useMutation(enablePushMutation())
  const disable = useMutation(disablePushMutation())
  const support = pushSupport()
  const device = devices.data?.find((each) => each.installationId === installationId())
  const on = support === 'granted' && device !== undefined
  const hint = support === 'denied' || support === 'install' || support === 'unsupported' ? push[support] : undefined
  const failure = enable.error instanceof PushError && enable.error.message !== hint ? enable.error.message : undefined
  return (
    <div className={classes.panel}>
      <p className={classes.text}>{on ? push.enabled : push.text}</p>
      {!on && !hint && (
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
      {on ? (
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
        !hint && (
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
