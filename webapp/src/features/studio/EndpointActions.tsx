import { Button, Group } from '@mantine/core'
import type { EventEndpoint } from '@sininho/sdk'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { endpoints as words } from '../../i18n/endpoints'
import { ConfirmButton } from '../../ui/ConfirmButton'
import { stateOf } from './endpoint'
import { endpointMutations } from './endpoint-mutations'
import { EndpointForm } from './EndpointForm'

type Props = {
  publisher: string
  owner: boolean
  endpoint: EventEndpoint
  rotate: UseMutationResult<unknown, Error, void>
}

const small = { size: 'sm', variant: 'default' } as const

/** Tests an endpoint and, for owners, changes it, switches it on or off, replaces its secret and deletes it. */
export function EndpointActions({ publisher, owner, endpoint, rotate }: Props) {
  const { id, name, enabled } = endpoint
  const mutations = endpointMutations(publisher, id)
  const test = useMutation(mutations.test)
  const update = useMutation(mutations.update)
  const remove = useMutation(mutations.remove)
  const [writing, setWriting] = useState(false)
  const done = () => setWriting(false)
  if (writing)
    return (
      <EndpointForm
        endpoint={endpoint}
        sending={update}
        onSave={(input) => update.mutate(input, { onSuccess: done })}
        onCancel={done}
      />
    )
  return (
    <Group gap={8}>
      {['on', 'failing'].includes(stateOf(endpoint)) && (
        <Button {...small} loading={test.isPending} onClick={() => test.mutate()}>
          {words.test}
        </Button>
      )}
      {owner && (
        <>
          <Button {...small} aria-label={words.changeOf(name)} onClick={() => setWriting(true)}>
            {words.change}
          </Button>
          <Button
            {...small}
            aria-label={enabled ? words.offOf(name) : words.onOf(name)}
            loading={update.isPending}
            onClick={() => update.mutate({ enabled: !enabled })}
          >
            {enabled ? words.off : words.on}
          </Button>
          <ConfirmButton
            {...small}
            loading={rotate.isPending}
            question={words.rotateQuestion(name)}
            text={words.rotateText}
            onConfirm={() => rotate.mutate()}
          >
            {words.rotate}
          </ConfirmButton>
          <ConfirmButton
            size="sm"
            variant="subtle"
            color="danger"
            px={12}
            ms={-8}
            loading={remove.isPending}
            aria-label={words.removeOf(name)}
            question={words.removeQuestion(name)}
            text={words.removeText}
            onConfirm={() => remove.mutate()}
          >
            {words.remove}
          </ConfirmButton>
        </>
      )}
    </Group>
  )
}
