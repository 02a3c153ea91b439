import { usePush } from '../../data/usePush'
import { push } from '../../i18n/push'
import { words } from '../../i18n/words'
import { LockScreen } from '../../ui/LockScreen'
import { PushHints } from '../../ui/PushHints'

/** Shows what a notification looks like, and why push could not be turned on. */
export function PushPreview({ error }: { error: Error | null }) {
  const { state } = usePush()
  return (
    <>
      {(state === 'off' || state === 'on') && (
        <div aria-hidden>
          <LockScreen app={words.appName} icon="/icon-192.png" {...push.preview} />
        </div>
      )}
      <PushHints state={state} error={error} />
    </>
  )
}
