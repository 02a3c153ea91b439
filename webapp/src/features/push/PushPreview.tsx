import { push } from '../../i18n/push'
import { words } from '../../i18n/words'
import { PushError } from '../../lib/push/registration'
import classes from './PushPanel.module.css'
import { usePush } from './usePush'

/** Shows what a notification looks like, and why push could not be turned on. */
export function PushPreview({ error }: { error: Error | null }) {
  const { state } = usePush()
  const hint = state === 'on' || state === 'off' ? undefined : push[state]
  const failure = error instanceof PushError && error.message !== hint ? error.message : undefined
  return (
    <>
      {(state === 'off' || state === 'on') && (
        <div className={classes.stage} aria-hidden>
          <div className={classes.preview}>
            <img src="/icon-192.png" alt="" width={40} height={40} />
            <div>
              <p className={classes.previewApp}>
                {words.appName} · {push.preview.when}
              </p>
              <p className={classes.previewTitle}>{push.preview.title}</p>
              <p>{push.preview.body}</p>
            </div>
          </div>
        </div>
      )}
      {hint && <p className={classes.hint}>{hint}</p>}
      {failure && <p className={classes.hint}>{failure}</p>}
    </>
  )
}
