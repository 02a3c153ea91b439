import { env } from '../../env'
import { demo } from '../../i18n/demo'
import { formatChannel } from '../../lib/paths'
import { Snippet } from '../../ui/Snippet'
import { Tabs } from '../../ui/Tabs'
import classes from './Commands.module.css'
import { demoChannel } from './channel'
import { type DemoMessage, payloadOf } from './message'
import { cli, curl, goProgram } from './snippets'

/** The same call as curl, Go and CLI commands, filled with the composed message. */
export function Commands({ message }: { message: DemoMessage }) {
  const { DEMO_WEBHOOK_URL: address, API_BASE_URL } = env()
  const payload = payloadOf(message)
  const server = API_BASE_URL.replace(/\/api\/v1\/?$/, '')
  return (
    <section className={classes.commands} aria-label={demo.command}>
      <h2 className={classes.title}>{demo.command}</h2>
      <div className={classes.box}>
        <Tabs
          label={demo.command}
          tabs={[
            { name: 'curl', content: <Snippet label="curl" text={curl(address, payload)} /> },
            { name: 'Go', content: <Snippet label="Go" text={goProgram(address, payload)} /> },
            {
              name: demo.cli,
              content: (
                <Snippet
                  label={demo.cli}
                  text={cli(server, demo.cliKey, formatChannel(demoChannel), payload)}
                  note={demo.cliHint}
                />
              ),
            },
          ]}
        />
      </div>
    </section>
  )
}
