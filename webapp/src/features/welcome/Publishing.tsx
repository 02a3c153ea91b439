import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { welcome } from '../../i18n/welcome'
import { guidePath } from '../../lib/paths'
import { LinkButton } from '../../ui/LinkButton'
import { Snippet } from '../../ui/Snippet'
import { TabbedSnippets } from '../../ui/TabbedSnippets'
import classes from './welcome.module.css'

const { publishing } = welcome

const http = `curl "$SININHO_URL/api/v1/channels/metro/linhas/notifications" \\
  -H "Authorization: Bearer $SININHO_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"title": "Linha azul reaberta"}'`

const cli = `sininho publish metro/linhas \\
  --title 'Linha azul reaberta'`

const go = `client.Notifications.Publish(ctx, "metro/linhas",
	sininho.PublishInput{Title: "Linha azul reaberta"})`

/** For publishers: the guide, a link to try it, and three ways to publish by a program. */
export function Publishing() {
  return (
    <Paper component="section" withBorder radius={24} className={classes.door} aria-labelledby="publishing">
      <Stack gap={8}>
        <Text c="brand" fz="sm" fw={650}>
          {publishing.door}
        </Text>
        <Title id="publishing" order={2} size="h1">
          {publishing.title}
        </Title>
        <Text c="dimmed">{publishing.text}</Text>
      </Stack>
      <Group gap={12} maw={416}>
        <LinkButton flex="auto" to={guidePath}>
          {publishing.guide}
        </LinkButton>
        <LinkButton flex="auto" to="/demo" variant="default">
          {publishing.demo}
        </LinkButton>
      </Group>
      <Paper withBorder className={classes.snippets}>
        <TabbedSnippets
          label={publishing.ways}
          snippets={{
            HTTP: <Snippet label="HTTP" text={http} note={publishing.api} />,
            CLI: <Snippet label="CLI" text={cli} note={publishing.cli} />,
            Go: <Snippet label="Go" text={go} note={publishing.go} />,
          }}
        />
      </Paper>
    </Paper>
  )
}
