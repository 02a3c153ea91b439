import { Badge } from '@mantine/core'
import type { Session } from '@sininho/sdk'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { settings } from '../../i18n/settings'
import { agoLabel, dateLabel } from '../../lib/spans'
import { Meta } from '../../ui/Meta'
import { Moment } from '../../ui/Moment'
import { Row } from '../../ui/Row'
import { endSessionMutation } from './mutations'

const texts = settings.sessions

export function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { id, browser, system, network, current, createdAt, lastSeenAt } = session
  const end = useMutation(endSessionMutation())
  const name = texts.name(browser, system)
  const Icon = system === 'Android' || system === 'iOS' ? IconDeviceMobile : IconDeviceDesktop
  const ending = {
    label: texts.end,
    name: texts.endName(name),
    question: texts.endQuestion(name),
    text: texts.endText,
    onConfirm: () => {
      onEnd()
      end.mutate(id)
    },
  }
  return (
    <Row
      icon={<Icon />}
      name={
        <>
          {name}
          {current && ' '}
          {current && <Badge component="span">{texts.current}</Badge>}
        </>
      }
      end={current ? undefined : ending}
    >
      <Meta sentence>
        {!current && <Moment at={lastSeenAt} label={(date) => texts.used(agoLabel(date))} />}
        <Moment at={createdAt} label={(date) => texts.since(dateLabel(date))} />
        {network && texts.network(network)}
      </Meta>
    </Row>
  )
}
