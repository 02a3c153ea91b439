import { Box, Button, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { identitiesQuery } from '../../data/identities'
import { passkeysQuery } from '../../data/passkeys'
import { passkeys } from '../../i18n/passkeys'
import { PasskeyExists, passkeysWork } from '../../lib/passkey'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { PasskeyRow } from './PasskeyRow'
import { addPasskeyMutation } from './passkeys'
import ui from '../../ui/ui.module.css'

const texts = passkeys.own

/** The person's passkeys. The only way in to the account has no action. */
export default function Passkeys() {
  const query = useQuery(passkeysQuery())
  const { data: identities } = useQuery(identitiesQuery())
  const list = useRef<HTMLDivElement>(null)
  const beside = identities?.some(({ kind }) => kind !== undefined) ?? false
  return (
    <Stack component="section" aria-label={texts.title} className={ui.ruled} pt={16}>
      <Title order={3} size="h4">
        {texts.title}
      </Title>
      <Text c="dimmed">{texts.text}</Text>
      <div ref={list} tabIndex={-1}>
        <Loaded query={query} skeleton={<BlockSkeleton height={68} />}>
          {(all) =>
            all.length === 0 ? (
              <p>{texts.none}</p>
            ) : (
              <Box component="ul" my={-12} className={ui.rows}>
                {all.map((passkey) => (
                  <PasskeyRow
                    key={passkey.id}
                    passkey={passkey}
                    removable={beside || all.length > 1}
                    onRemove={() => list.current?.focus()}
                  />
                ))}
              </Box>
            )
          }
        </Loaded>
      </div>
      <Add />
    </Stack>
  )
}

function Add() {
  const add = useMutation(addPasskeyMutation())
  if (!passkeysWork()) return <Text variant="hint">{passkeys.unsupported}</Text>
  const exists = add.error instanceof PasskeyExists
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlus size={20} />}
        style={{ alignSelf: 'start' }}
        loading={add.isPending}
        onClick={() => add.mutate()}
      >
        {texts.add}
      </Button>
      <Text role="status" fz="sm">
        {add.data === null && passkeys.notMade}
        {add.data && texts.added}
        {exists && passkeys.faults.taken}
      </Text>
    </>
  )
}
