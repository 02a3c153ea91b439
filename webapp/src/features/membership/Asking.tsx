import { Button } from '@mantine/core'
import type { PublisherRequest } from '@sininho/sdk'
import { IconClock, IconMoodSad } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { publisherRequestQuery } from '../../data/publisher-request'
import { myPublishersQuery } from '../../data/publishers'
import { sessionKeys } from '../../data/session'
import { asking } from '../../i18n/asking'
import { focusHeading } from '../../lib/focus'
import { EmptyState } from '../../ui/EmptyState'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { AskForm } from './AskForm'
import { withdrawRequestMutation } from './mutations'

/** Where operators approve publishers: asks them for one, and shows what became of it. */
export default function Asking() {
  const query = useQuery(publisherRequestQuery())
  useApproval(query.data?.status)
  return (
    <Loaded query={query} skeleton={<BlockSkeleton height={240} />}>
      {(request) => (request ? <Request key={request.id + request.status} request={request} /> : <AskForm />)}
    </Loaded>
  )
}

/** Goes on to the first channel when a request that was seen to wait is approved. */
function useApproval(status: string | undefined) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [waited, setWaited] = useState(false)
  if (status === 'pending' && !waited) setWaited(true)
  useEffect(() => {
    if (status !== 'approved') return
    void Promise.all([
      client.invalidateQueries({ queryKey: myPublishersQuery().queryKey }),
      client.invalidateQueries({ queryKey: sessionKeys.auth }),
    ]).then(() => (waited ? navigate({ to: '/new' }) : undefined))
  }, [status, waited, client, navigate])
}

function Request({ request }: { request: PublisherRequest }) {
  const [again, setAgain] = useState(false)
  if (request.status === 'pending') return <Pending name={request.name} />
  // an approved one whose publisher is gone is as none
  if (again || request.status !== 'refused') return <AskForm before={request} />
  return (
    <EmptyState
      icon={<IconMoodSad />}
      title={asking.refused}
      text={[asking.refusedText(request.name), request.answer && asking.answer(request.answer)]
        .filter(Boolean)
        .join(' ')}
    >
      <Button
        onClick={() => {
          setAgain(true)
          focusHeading() // the button disappears
        }}
      >
        {asking.again}
      </Button>
    </EmptyState>
  )
}

function Pending({ name }: { name: string }) {
  const withdraw = useMutation({ ...withdrawRequestMutation(), onSuccess: focusHeading }) // with it: see AskForm
  return (
    <EmptyState icon={<IconClock />} title={asking.pending} text={asking.pendingText(name)}>
      <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
        {asking.withdraw}
      </Button>
    </EmptyState>
  )
}
