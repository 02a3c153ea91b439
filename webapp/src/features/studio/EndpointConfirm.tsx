import { Alert, Button, Paper, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { endpoints as words } from '../../i18n/endpoints'
import { Form } from '../../ui/Form'
import { responseOf } from './endpoint'
import { endpointMutations } from './endpoint-mutations'

type Props = { publisher: string; id: string }

/** Confirms that the owner of an address agrees: by a request to it or, if it cannot respond, by a code that it got. */
export function EndpointConfirm({ publisher, id }: Props) {
  const challenge = useMutation(endpointMutations(publisher, id).challenge)
  return (
    <Paper withBorder p={16}>
      <Text mb={12}>{words.confirmText}</Text>
      <Button size="sm" loading={challenge.isPending} onClick={() => challenge.mutate()}>
        {words.confirm}
      </Button>
      {challenge.data && !challenge.data.confirmed && (
        <>
          <Alert my={12} role="status">
            {words.unconfirmed(responseOf(challenge.data))}
          </Alert>
          <CodeForm publisher={publisher} id={id} />
        </>
      )}
    </Paper>
  )
}

function CodeForm({ publisher, id }: Props) {
  const confirm = useMutation(endpointMutations(publisher, id).confirm)
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  const given = code.trim()
  const faults = tried && !given ? { code: words.codeMissing } : {}
  const submit = () => {
    setTried(true)
    if (given && !confirm.isPending) confirm.mutate(given)
  }
  return (
    <Form aria-label={words.codeForm} faults={faults} onSubmit={submit}>
      <TextInput
        label={words.code}
        description={words.codeHint}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        value={code}
        error={faults.code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <div>
        <Button type="submit" size="sm" variant="default" loading={confirm.isPending}>
          {words.codeForm}
        </Button>
      </div>
    </Form>
  )
}
