import { TextInput } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconTerminal2 } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deviceSignInQuery } from '../../data/device-sign-in'
import { device } from '../../i18n/device'
import { agoLabel, dateLabel } from '../../lib/dates'
import { focusHeading } from '../../lib/focus'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Loaded } from '../../ui/Loaded'
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
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          onCode(typed.trim())
        }}
      >
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
          withAsterisk={false}
          size="md"
        />
        <Button type="submit" size="md" fullWidth>
          {device.next}
        </Button>
      </form>
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
        <p className={classes.text}>{device.unknownHint}</p>
        <Button variant="default" size="md" fullWidth onClick={() => onCode(undefined)}>
          {device.another}
        </Button>
      </Card>
    )
  }
  const loading = (
    <p role="status" className={classes.text}>
      {device.loading}
    </p>
  )
  return (
    <Card icon={<IconTerminal2 size={32} />} title={device.title}>
      <Loaded query={query} skeleton={loading}>
        {(data) =>
          data && (
            <>
              <p className={classes.text}>
                {(data.browser ? device.browserQuestion : device.question)(data.clientName)}
              </p>
              <p className={classes.code}>{data.userCode}</p>
              <dl className={classes.terms}>
                <dt>{device.asked}</dt>
                <dd>{device.askedFrom(agoLabel(new Date(data.createdAt)), data.network, data.sameNetwork)}</dd>
                <dt>{device.may}</dt>
                <dd>{data.browser ? device.browserMay : device.mayScopes(data.scopes ?? [])}</dd>
                <dt>{device.until}</dt>
                <dd>
                  {(data.browser ? device.browserUntil : device.untilDate)(dateLabel(new Date(data.tokenExpiresAt)))}
                </dd>
              </dl>
              <p className={classes.note}>{data.browser ? device.browserWarning : device.warning}</p>
              <div className={classes.buttons}>
                <Button
                  size="md"
                  fullWidth
                  loading={decision.isPending && decision.variables}
                  onClick={() => decision.mutate(true)}
                >
                  {device.approve}
                </Button>
                <Button
                  size="md"
                  fullWidth
                  variant="default"
                  disabled={decision.isPending}
                  onClick={() => decision.mutate(false)}
                >
                  {device.refuse}
                </Button>
              </div>
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
      <p className={classes.text}>{device.approvedHint}</p>
    </Card>
  ) : (
    <Card icon={<IconCircleX size={32} />} title={device.refused}>
      <p className={classes.text}>{device.refusedHint}</p>
    </Card>
  )
}
