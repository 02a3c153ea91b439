import { Box, Button, Text } from '@mantine/core'
import type { Publisher } from '@sininho/sdk'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { eventEndpointsQuery } from '../../data/event-endpoints'
import { endpoints as words } from '../../i18n/endpoints'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { onDemand } from '../../ui/onDemand'
import ui from '../../ui/ui.module.css'
import { createEndpointMutation } from './endpoint-mutations'
import { EndpointForm } from './EndpointForm'
import { EndpointRow } from './EndpointRow'
import { Section } from './Section'
import { endpointCall } from './snippets'

const Automation = onDemand(() => import('./Automation'))

/** The programs that are told what became of a publisher's notifications. Owners arrange them. */
export function Endpoints({ publisher: { slug, role } }: { publisher: Publisher }) {
  const query = useQuery(eventEndpointsQuery(slug))
  const create = useMutation(createEndpointMutation(slug))
  const [writing, setWriting] = useState(false)
  const [opened, setOpened] = useState<string>()
  const show = ({ id }: { id: string }) => {
    setWriting(false)
    setOpened(id)
  }
  const owner = role === 'owner'
  const { data: made } = create
  return (
    <Section title={words.title}>
      <Text c="dimmed" mb={12}>
        {words.text}
      </Text>
      <Loaded query={query} skeleton={<BlockSkeleton height={44} />}>
        {(endpoints) => (
          <Box component="ul" className={ui.rows}>
            {endpoints.map((endpoint) => (
              <EndpointRow
                key={endpoint.id}
                publisher={slug}
                owner={owner}
                endpoint={endpoint}
                created={made?.id === endpoint.id ? made.secret : undefined}
                onKept={create.reset}
                open={endpoint.id === opened}
                onChange={(open) => setOpened(open ? endpoint.id : undefined)}
              />
            ))}
          </Box>
        )}
      </Loaded>
      {owner && writing && (
        <EndpointForm
          sending={create}
          onSave={(input) => create.mutate(input, { onSuccess: show })}
          onCancel={() => setWriting(false)}
        />
      )}
      {owner && !writing && (
        <div>
          <Button variant="default" leftSection={<IconPlus size={20} aria-hidden />} onClick={() => setWriting(true)}>
            {words.add}
          </Button>
        </div>
      )}
      {owner && <Automation call={endpointCall(slug)} />}
    </Section>
  )
}
