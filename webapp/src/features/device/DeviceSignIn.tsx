import { Button, Stack, Text, TextInput } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconTerminal2 } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deviceSignInQuery } from '../../data/device-sign-in'
import { device } from '../../i18n/device'
import { agoLabel, dateLabel } from '../../lib/spans'
import { focusHeading } from '../../lib/focus'
import { Card } from '../../ui/Card'
import { Form } from '../../ui/Form'
import { Loaded } from '../../ui/Loaded'
import { Moment } from '../../ui/Moment'
import classes from './DeviceSignIn.module.css'
import { decideDeviceMutation } from './mutations'

type Props = {
  /** Shows the request with another code, or, if undefined, asks for a code. */
  onCode: (code: string | undefined) => void
}

/**
 * Lets a program such as the CLI act for the person, after the person has typed its code. The code is never taken from
 * the URL: a link with somebody else's code would need only one click.
 */
export function DeviceSignIn() {
  const [code, setCode] = useState<string>()
  const onCode = (next: string | undefined) => {
    setCode(next)
    requestAnimationFrame(focusHeading)
  }
  return code ? <Question key={code} code={code} onCode={onCode} /> : <CodeForm onCode={onCode} />
}

function CodeForm({ onCode }: Props) {
  const [typed, setTyped] = useState('')
  return (
    <Card icon={<IconTerminal2 size={32} />} title={device.title}>
      <Form gap={12} w="100%" ta="start" noValidate={false} onSubmit={() => onCode(typed.trim())}>
        <TextInput
          label={device.code}
          description={device.codeHint}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          minLength={8}
          maxLength={16}
          required
        />
        <Button type="submit" fullWidth>
          {device.next}
        </Button>
      </Form>
    </Card>
  )
}

function Question({ code, onCode }: { code: string } & Props) {
  const query = useQuery(deviceSignInQuery(code))
  const decision = useMutation(decideDeviceMutation(code))
  if (decision.isSuccess) return <Decided approved={decision.variables} />
  if (query.data === null) {
    return (
      <Card icon={<IconCircleX size={32} />} title={device.unknown}>
        <Text c="dimmed">{device.unknownHint}</Text>
        <Button variant="default" fullWidth onClick={() => onCode(undefined)}>
          {device.another}
        </Button>
      </Card>
    )
  }
  const loading = (
    <Text role="status" c="dimmed">
      {device.loading}
    </Text>
  )
  return (
    <Card icon={<IconTerminal2 size={32} />} title={device.title}>
      <Loaded query={query} skeleton={loading}>
        {(data) =>
          data && (
            <>
              <Text c="dimmed">{(data.browser ? device.browserQuestion : device.question)(data.clientName)}</Text>
              <Text ff="monospace" fz={28} fw={600} lts="0.08em">
                {data.userCode}
              </Text>
              <dl className={classes.terms}>
                <dt>{device.asked}</dt>
                <dd>
                  <Moment
                    at={data.createdAt}
                    label={(date) => device.askedFrom(agoLabel(date), data.network, data.sameNetwork)}
                  />
                </dd>
                <dt>{device.may}</dt>
                <dd>{data.browser ? device.browserMay : device.mayScopes(data.scopes ?? [])}</dd>
                <dt>{device.until}</dt>
                <dd>
                  <Moment
                    at={data.tokenExpiresAt}
                    label={(date) => (data.browser ? device.browserUntil : device.untilDate)(dateLabel(date))}
                  />
                </dd>
              </dl>
              <Text variant="hint">{data.browser ? device.browserWarning : device.warning}</Text>
              <Stack gap={12} w="100%" ta="start">
                <Button
                  fullWidth
                  loading={decision.isPending && decision.variables}
                  onClick={() => decision.mutate(true)}
                >
                  {device.approve}
                </Button>
                <Button
                  fullWidth
                  variant="default"
                  disabled={decision.isPending}
                  onClick={() => decision.mutate(false)}
                >
                  {device.refuse}
                </Button>
              </Stack>
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function Decided({ approved }: { approved: boolean }) {
  return approved ? (
    <Card icon={<IconCircleCheck size={32} />} title={device.approved}>
      <Text c="dimmed">{device.approvedHint}</Text>
    </Card>
  ) : (
    <Card icon={<IconCircleX size={32} />} title={device.refused}>
      <Text c="dimmed">{device.refusedHint}</Text>
    </Card>
  )
}
