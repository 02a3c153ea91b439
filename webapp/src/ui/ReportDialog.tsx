import type { ReportInput } from '@sininho/sdk'
import { type FormEvent, useId, useState } from 'react'
import { words } from '../i18n/words'
import { report } from '../i18n/report'
import { Button } from './Button'
import { Dialog } from './Dialog'
import classes from './ReportDialog.module.css'

type Props = {
  /** The name of the channel to report; without it, a notification is reported. */
  channel?: string
  onReport: (input: ReportInput) => void
  onClose: () => void
}

const categories = Object.keys(report.categories) as ReportInput['category'][]
const maxText = 1000

/** Asks what is wrong with a channel or a notification. Open while it is rendered. */
export default function ReportDialog({ channel, onReport, onClose }: Props) {
  const [category, setCategory] = useState<ReportInput['category']>('spam')
  const [text, setText] = useState('')
  const [missing, setMissing] = useState(false)
  const id = useId()
  const required = category === 'other'
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (required && text.trim() === '') return setMissing(true)
    onClose()
    return onReport({ category, ...(text.trim() && { text: text.trim() }) })
  }
  return (
    <Dialog title={channel === undefined ? report.notification : report.channel(channel)} onClose={onClose}>
      <form className={classes.form} onSubmit={send}>
        <p className={classes.note}>{report.note}</p>
        <fieldset className={classes.categories}>
          <legend className={classes.label}>{report.why}</legend>
          {categories.map((each) => (
            <label key={each} className={classes.category}>
              <input type="radio" name={id} checked={category === each} onChange={() => setCategory(each)} />
              {report.categories[each]}
            </label>
          ))}
        </fieldset>
        <label className={classes.label} htmlFor={`${id}-text`}>
          {required ? report.textRequired : report.text}
        </label>
        <textarea
          id={`${id}-text`}
          className={classes.text}
          rows={3}
          maxLength={maxText}
          value={text}
          aria-invalid={missing || undefined}
          aria-describedby={missing ? `${id}-missing` : undefined}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setMissing(false)
          }}
        />
        {missing && (
          <p id={`${id}-missing`} role="alert" className={classes.missing}>
            {report.textMissing}
          </p>
        )}
        <div className={classes.actions}>
          <Button variant="default" size="md" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" size="md">
            {report.send}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
