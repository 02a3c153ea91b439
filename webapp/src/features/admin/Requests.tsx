import { Button, Group, Text } from '@mantine/core'
import type { PublisherRequest } from '@sininho/sdk'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { publisherRequestsQuery } from '../../data/moderation'
import { admin } from '../../i18n/admin'
import { PagedList } from './PagedList'
import { ReasonDialog } from './ReasonDialog'
import { Row } from './Row'
import { answerRequestMutation } from './mutations'

/** Who asks to publish, the oldest first. */
export function Requests() {
  const query = useInfiniteQuery(publisherRequestsQuery())
  const list = useRef<HTMLUListElement>(null)
  return (
    <PagedList query={query} label={admin.titles.requests} empty={admin.requests.empty} list={list}>
      {(request) => <RequestRow key={request.id} request={request} onAnswer={() => list.current?.focus()} />}
    </PagedList>
  )
}

function RequestRow({ request, onAnswer }: { request: PublisherRequest; onAnswer: () => void }) {
  const { name, slug, reason, asker, createdAt } = request
  // with it, because the row may be gone before a call of mutate() is answered
  const answer = useMutation({ ...answerRequestMutation(request), onSuccess: onAnswer })
  const [refusing, setRefusing] = useState(false)
  return (
    <Row
      wide
      at={createdAt}
      name={name}
      actions={
        <Group>
          <Button
            size="sm"
            variant="light"
            disabled={answer.isPending}
            aria-label={admin.requests.approveName(name)}
            onClick={() => answer.mutate({ status: 'approved' })}
          >
            {admin.requests.approve}
          </Button>
          <Button
            size="sm"
            variant="default"
            disabled={answer.isPending}
            aria-label={admin.requests.refuseName(name)}
            onClick={() => setRefusing(true)}
          >
            {admin.requests.refuse}
          </Button>
        </Group>
      }
    >
      <Text c="dimmed" fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {location.host}/channels/{slug}
      </Text>
      {reason && (
        <Text mt={2} fz={15} style={{ overflowWrap: 'anywhere' }}>
          {admin.requests.reason(reason)}
        </Text>
      )}
      <Text mt={2} c="dimmed" fz="sm">
        {asker.email ? `${asker.name} <${asker.email}>` : asker.name}
      </Text>
      {refusing && (
        <ReasonDialog
          question={admin.requests.refuseQuestion(name)}
          text={admin.requests.refuseText}
          hint={admin.requests.refuseHint}
          action={admin.requests.refuse}
          optional
          onReason={(text) => answer.mutate({ status: 'refused', ...(text && { answer: text }) })}
          onClose={() => setRefusing(false)}
        />
      )}
    </Row>
  )
}
