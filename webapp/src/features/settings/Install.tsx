import { IconDownload, IconShare2, IconSquarePlus } from '@tabler/icons-react'
import { settings } from '../../i18n/settings'
import { Button } from '../../ui/Button'
import classes from './Install.module.css'
import { useInstall } from './useInstall'

const texts = settings.install

/** Installs the app where the browser offers it, and otherwise says how it is done. */
export function Install() {
  const { state, take } = useInstall()
  const done = state === 'installed' || state === 'accepted'
  return (
    <div className={classes.panel}>
      <div className={classes.app}>
        <img src="/icon-192.png" alt="" width={56} height={56} className={classes.picture} />
        <p role={done ? 'status' : undefined} className={classes.text}>
          {done ? texts[state] : texts.why}
        </p>
      </div>
      {state === 'offered' && (
        <Button
          size="md"
          leftSection={<IconDownload size={20} />}
          loading={take.isPending}
          onClick={() => take.mutate()}
        >
          {texts.action}
        </Button>
      )}
      {state === 'apple' && <Steps />}
      {state === 'elsewhere' && <p className={classes.text}>{texts.elsewhere}</p>}
    </div>
  )
}

const icons = [IconShare2, IconSquarePlus]

function Steps() {
  return (
    <ol className={classes.steps}>
      {texts.steps.map(({ name, text }, index) => {
        const Icon = icons[index]!
        return (
          <li key={name} className={classes.step}>
            <Icon size={24} aria-hidden className={classes.icon} />
            {text}
          </li>
        )
      })}
    </ol>
  )
}
