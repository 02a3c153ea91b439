import { Flex, Paper, Title } from '@mantine/core'
import { env } from '../../env'
import { demo } from '../../i18n/demo'
import { formatChannel } from '../../lib/paths'
import { Snippet } from '../../ui/Snippet'
import { TabbedSnippets } from '../../ui/TabbedSnippets'
import { demoChannel } from './channel'
import { type DemoMessage, payloadOf } from './message'
import { cli, curl, goProgram } from './snippets'

/** The same call as curl, Go and CLI commands, filled with the composed message. */
export function Commands({ message }: { message: DemoMessage }) {
  const { DEMO_WEBHOOK_URL: address, API_BASE_URL } = env()
  const payload = payloadOf(message)
  const server = API_BASE_URL.replace(/\/api\/v1\/?$/, '')
  const snippets = {
    curl: <Snippet label="curl" text={curl(address, payload)} />,
    Go: <Snippet label="Go" text={goProgram(address, payload)} />,
    [demo.cli]: (
      <Snippet
        label={demo.cli}
        text={cli(server, demo.cliKey, formatChannel(demoChannel), payload)}
        note={demo.cliHint}
      />
    ),
  }
  return (
    <Flex component="section" direction="column" gap={8} aria-label={demo.command}>
      <Title order={2} size="h3">
        {demo.command}
      </Title>
      <Paper withBorder style={{ overflow: 'hidden' }}>
        <TabbedSnippets label={demo.command} snippets={snippets} />
      </Paper>
    </Flex>
  )
}
