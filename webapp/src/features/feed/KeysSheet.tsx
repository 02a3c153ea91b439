import { Switch } from '@mantine/core'
import { useId } from 'react'
import { keys } from '../../i18n/keys'
import { words } from '../../i18n/words'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import classes from './KeysSheet.module.css'

type Props = { on: boolean; onChange: (on: boolean) => void; onClose: () => void }

/** All keyboard shortcuts of the feed, and whether they act. */
export default function KeysSheet({ on, onChange, onClose }: Props) {
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <div className={classes.groups} data-off={!on || undefined}>
        {keys.groups.map((group) => (
          <Group key={group.title} {...group} />
        ))}
      </div>
      <div className={classes.foot}>
        <Switch
          size="md"
          label={keys.on}
          description={keys.off}
          checked={on}
          classNames={{ body: classes.switch }}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <Button ref={focusFirst} variant="default" onClick={onClose}>
          {words.close}
        </Button>
      </div>
    </Dialog>
  )
}

/** Makes the dialog focus this first, not the switch. React does not set the attribute. */
const focusFirst = (button: Element | null) => button?.setAttribute('autofocus', '')

function Group({ title, rows }: (typeof keys.groups)[number]) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={classes.heading}>
        {title}
      </h3>
      <dl className={classes.rows}>
        {rows.map(({ key, does }) => (
          <div key={key} className={classes.row}>
            <dt>
              <kbd className={classes.key}>{key}</kbd>
            </dt>
            <dd className={classes.does}>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
