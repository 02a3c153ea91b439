import { Group, Stack, Text, Title } from '@mantine/core'
import { useMayCreatePublishers } from '../../data/useSignedIn'
import { env } from '../../env'
import { guide } from '../../i18n/guide'
import { memberships } from '../../i18n/memberships'
import { docsPath } from '../../lib/paths'
import { LinkButton } from '../../ui/LinkButton'
import { PageTitle } from '../../ui/PageTitle'
import ui from '../../ui/ui.module.css'
import { Part } from './Part'
import begin from './pictures/begin.webp'
import people from './pictures/people.webp'
import poster from './pictures/poster.webp'
import privateChannel from './pictures/private.webp'
import readers from './pictures/readers.webp'
import scheduled from './pictures/scheduled.webp'
import write from './pictures/write.webp'

const { parts, programs } = guide

/** How somebody who is no programmer publishes, from the first channel on. */
export function Guide() {
  return (
    <Stack gap={48} maw={840} m="0 auto 64px">
      <Stack gap={16}>
        <PageTitle>{guide.title}</PageTitle>
        <Text c="dimmed" fz={19} maw="56ch">
          {guide.text}
        </Text>
        <Ways />
      </Stack>
      <Part {...parts.begin} src={begin} height={480} />
      <Part {...parts.write} src={write} height={540} />
      <Part {...parts.readers} src={readers} height={345} />
      <Part {...parts.scheduled} src={scheduled} height={228} />
      <Part {...parts.people} src={people} height={333} />
      <Part {...parts.poster} src={poster} height={634} />
      <Part {...parts.private} src={privateChannel} height={747} />
      <Stack component="section" gap={12} maw="60ch" aria-labelledby="programs">
        <Title id="programs" order={2} size="h2">
          {programs.title}
        </Title>
        <p>{programs.text}</p>
        <a href={`${docsPath}/publish`} hrefLang="en" className={ui.link}>
          {programs.link}
        </a>
      </Stack>
      <Ways />
    </Stack>
  )
}

/** Where the reader goes on: to a channel of their own, where they may begin one, or to the demonstration. */
function Ways() {
  const mayCreate = useMayCreatePublishers()
  const asks = env().PUBLISHERS === 'request'
  return (
    <Stack gap={12}>
      {!mayCreate && !asks && <p>{memberships.invitedText}</p>}
      <Group gap={12}>
        {(mayCreate || asks) && <LinkButton to="/new">{mayCreate ? guide.create : memberships.request}</LinkButton>}
        <LinkButton to="/demo" variant="default">
          {guide.demo}
        </LinkButton>
      </Group>
    </Stack>
  )
}
