import { Stack, Text } from '@mantine/core'
import type { EventEndpoint } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { endpoints as words } from '../../i18n/endpoints'
import { Secret } from '../../ui/Secret'
import { CopyField } from './CopyField'
import { endpointMutations } from './endpoint-mutations'
import { stateOf } from './endpoint'
import { EndpointActions } from './EndpointActions'
import { EndpointConfirm } from './EndpointConfirm'
import { EndpointDeliveries } from './EndpointDeliveries'
import { Fold, Summary } from './Fold'

type Props = {
  publisher: string
  owner: boolean
  endpoint: EventEndpoint
  /** Its secret, if it was just created. */
  created?: string
  /** The secret was kept by the person. */
  onKept: () => void
  open: boolean
  onChange: (open: boolean) => void
}

/** A program that is told what happens which, unfolded, shows what was sent to it and what can be done about it. */
export function EndpointRow({ publisher, owner, endpoint, created, onKept, open, onChange }: Props) {
  const { id, name, url } = endpoint
  const rotate = useMutation(endpointMutations(publisher, id).rotate)
  const secret = rotate.data?.secret ?? created
  const state = stateOf(endpoint)
  return (
    <li>
      <Fold
        open={open}
        onChange={onChange}
        summary={
          <Summary name={name}>
            <Text span fz="inherit" c={state === 'failing' ? 'danger' : undefined}>
              {words.states[state]}
            </Text>
          </Summary>
        }
      >
        <Stack gap={16}>
          {secret && (
            <Secret
              title={words.secret(name)}
              hint={words.secretHint}
              secret={secret}
              done={words.secretDone}
              onDone={() => {
                rotate.reset()
                onKept()
              }}
            />
          )}
          <CopyField label={words.url} value={url} />
          {owner && state === 'unconfirmed' && <EndpointConfirm publisher={publisher} id={id} />}
          <EndpointActions publisher={publisher} owner={owner} endpoint={endpoint} rotate={rotate} />
          <EndpointDeliveries publisher={publisher} endpoint={endpoint} />
        </Stack>
      </Fold>
    </li>
  )
}
