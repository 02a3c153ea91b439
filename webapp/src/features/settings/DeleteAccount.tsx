import { Button, List, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLeave } from '../../data/useLeave'
import { settings } from '../../i18n/settings'
import { Form } from '../../ui/Form'
import { FormActions } from '../../ui/FormActions'
import ui from '../../ui/ui.module.css'
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
    <Stack align="flex-start">
      <Text c="dimmed">{settings.account.removeText}</Text>
      <List>
        {settings.account.removed.map((each) => (
          <List.Item key={each}>{each}</List.Item>
        ))}
      </List>
      {asking ? (
        <Form
          w="100%"
          className={ui.ruled}
          aria-label={settings.account.remove}
          onSubmit={() => confirmed && remove.mutate(undefined, { onSuccess: () => void leave() })}
        >
          <TextInput
            label={settings.account.confirm(confirmation)}
            description={settings.account.removeFinal}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
            autoFocus
            value={typed}
            error={remove.error?.message}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <FormActions
            action={settings.account.removeForGood}
            color="danger"
            disabled={!confirmed}
            loading={remove.isPending}
            onCancel={() => setAsking(false)}
          />
        </Form>
      ) : (
        <Button variant="default" c="danger" onClick={() => setAsking(true)}>
          {settings.account.remove}
        </Button>
      )}
    </Stack>
  )
}
