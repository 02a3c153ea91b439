import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLeave } from '../../data/useLeave'
import { words } from '../../i18n/words'
import { settings } from '../../i18n/settings'
import { Button } from '../../ui/Button'
import classes from './account.module.css'
import { deleteAccountMutation } from './mutations'

/** Lists what will be deleted, and deletes the account after the person has typed the confirmation word. */
export function DeleteAccount() {
  const leave = useLeave()
  const remove = useMutation(deleteAccountMutation())
  const [asking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const { confirmation } = settings.account
  const confirmed = typed.trim().toLowerCase() === confirmation
  return (
    <div className={classes.panel}>
      <p className={classes.text}>{settings.account.removeText}</p>
      <ul className={classes.list}>
        {settings.account.removed.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      {asking ? (
        <form
          className={classes.form}
          aria-label={settings.account.remove}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (confirmed) remove.mutate(undefined, { onSuccess: () => void leave() })
          }}
        >
          <TextInput
            label={settings.account.confirm(confirmation)}
            description={settings.account.removeFinal}
            size="md"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
            autoFocus
            value={typed}
            error={remove.error?.message}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <div className={classes.actions}>
            <Button type="submit" danger size="md" disabled={!confirmed} loading={remove.isPending}>
              {settings.account.removeForGood}
            </Button>
            <Button variant="default" size="md" onClick={() => setAsking(false)}>
              {words.cancel}
            </Button>
          </div>
        </form>
      ) : (
        <Button variant="default" size="md" className={classes.remove} onClick={() => setAsking(true)}>
          {settings.account.remove}
        </Button>
      )}
    </div>
  )
}
