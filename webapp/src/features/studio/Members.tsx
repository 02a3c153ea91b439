import { Box, Button } from '@mantine/core'
import type { Member, Publisher } from '@sininho/sdk'
import { IconUser } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { membersQuery } from '../../data/publisher-access'
import { authQuery } from '../../data/session'
import { access } from '../../i18n/access'
import { Loaded } from '../../ui/Loaded'
import { Meta } from '../../ui/Meta'
import { Row } from '../../ui/Row'
import { BlockSkeleton } from '../../ui/skeletons'
import ui from '../../ui/ui.module.css'
import { makeEditorMutation, removeMemberMutation } from './access-mutations'
import { Invited } from './Invited'
import { Section } from './Section'

const words = access.people

type Props = { publisher: Publisher }

/** The people who publish for a publisher. Owners invite and remove others, and everybody may leave. */
export function Members({ publisher }: Props) {
  const query = useQuery(membersQuery(publisher.slug))
  const { data: auth } = useQuery(authQuery())
  const owner = publisher.role === 'owner'
  return (
    <Section title={words.title}>
      <Loaded query={query} skeleton={<BlockSkeleton height={88} />}>
        {(members) => (
          <Box component="ul" className={ui.rows}>
            {members.map((member) => (
              <MemberRow
                key={member.id}
                publisher={publisher}
                member={member}
                me={member.id === auth?.subscriber?.id}
              />
            ))}
          </Box>
        )}
      </Loaded>
      {owner && <Invited publisher={publisher.slug} />}
    </Section>
  )
}

function MemberRow({ publisher, member, me }: Props & { member: Member; me: boolean }) {
  const { id, role, email } = member
  const name = member.name || (email ?? '')
  const remove = useMutation(removeMemberMutation(publisher.slug))
  const owner = publisher.role === 'owner'
  const end = {
    label: me ? words.leave : words.remove,
    name: me ? words.leave : words.removeOf(name),
    question: me ? words.leaveQuestion(publisher.name) : words.removeQuestion(name),
    text: words.removeText,
    pending: remove.isPending,
    onConfirm: () => remove.mutate(id),
  }
  return (
    <Row icon={<IconUser />} alike name={me ? words.you(name) : name} end={owner || me ? end : undefined}>
      <Meta>
        {words.roles[role]}
        {member.name && email}
      </Meta>
      {owner && role === 'owner' && !me && <MakeEditor publisher={publisher.slug} id={id} name={name} />}
    </Row>
  )
}

function MakeEditor({ publisher, id, name }: { publisher: string; id: string; name: string }) {
  const change = useMutation(makeEditorMutation(publisher))
  return (
    <Button
      variant="subtle"
      size="sm"
      px={0}
      loading={change.isPending}
      aria-label={words.makeEditorOf(name)}
      onClick={() => change.mutate(id)}
    >
      {words.makeEditor}
    </Button>
  )
}
