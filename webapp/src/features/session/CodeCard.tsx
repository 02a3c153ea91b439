import { Button, Text, TextInput } from '@mantine/core'
import { IconMailCheck, IconMailX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { login } from '../../i18n/login'
import { faultsOf } from '../../lib/faults'
import { openPage } from '../../lib/page'
import { Card } from '../../ui/Card'
import { Form } from '../../ui/Form'
import classes from './session.module.css'
import { finishEmailMutation } from './mutations'

type Props = {
  /** The address to which the code was sent, if this browser has just asked for it. */
  sentTo?: string
  /** The code of an emailed link. */
  given?: string
  /** Where another code can be asked for. */
  again: string
}

/** Takes an emailed code. The server says where it leads. */
export function CodeCard({ sentTo, given, again }: Props) {
  const [code, setCode] = useState(given ?? '')
  const [tried, setTried] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const finish = useMutation(finishEmailMutation())
  const confirm = (typed: string) =>
    finish.mutate(
      { code: typed },
      // a whole page, because the person may be another one now
      { onSuccess: (to) => to && openPage(to.url), onError: () => input.current?.select() },
    )
  const asked = useRef(false)
  useEffect(() => {
    if (!given || asked.current) return
    asked.current = true
    confirm(given)
  })
  if (finish.data === null) return <Unusable asked={sentTo !== undefined} again={again} />
  const digits = code.replaceAll(/\D/g, '')
  const faults = faultsOf(finish.error, finish.variables, { code: digits })
  return (
    <Card icon={<IconMailCheck size={32} />} title={login.code.title}>
      <Text c="dimmed">{sentTo ? login.code.sentTo(sentTo) : login.code.cold}</Text>
      <Form
        w="100%"
        ta="start"
        onSubmit={() => {
          setTried(true)
          if (digits.length === 8) confirm(digits)
        }}
      >
        <TextInput
          ref={input}
          label={login.code.label}
          inputMode="numeric"
          autoComplete="one-time-code"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has no other purpose
          autoFocus
          maxLength={20}
          size="lg"
          classNames={{ input: classes.code }}
          required
          value={code}
          error={tried && digits.length !== 8 ? login.code.missing : faults.code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={finish.isPending || finish.isSuccess}>
          {login.code.confirm}
        </Button>
      </Form>
      <Text variant="hint">
        {sentTo ? login.code.late : login.code.ask} <a href={again}>{sentTo ? login.code.another : login.code.first}</a>
      </Text>
    </Card>
  )
}

/** Says that this browser waits for no code. `asked`: it has asked for one, which has ended. */
function Unusable({ asked, again }: { asked: boolean; again: string }) {
  return (
    <Card icon={<IconMailX size={32} />} title={asked ? login.code.over : login.code.elsewhere}>
      <Text role="alert" c="dimmed">
        {asked ? login.code.overText : login.code.elsewhereText}
      </Text>
      <Button component="a" href={again} variant="default" fullWidth>
        {login.code.another}
      </Button>
    </Card>
  )
}
