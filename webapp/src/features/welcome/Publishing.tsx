import { Link } from '@tanstack/react-router'
import { demo } from '../../i18n/demo'
import { welcome } from '../../i18n/welcome'
import { docsPath } from '../../lib/paths'
import { Button } from '../../ui/Button'
import { Tabs } from '../../ui/Tabs'
import classes from './Doors.module.css'

const { publishing } = welcome

const http = `curl "$SININHO_URL/api/v1/channels/metro/linhas/notifications" \\
  -H "Authorization: Bearer $SININHO_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"title": "Linha azul reaberta"}'`

const cli = `sininho publish metro/linhas \\
  --title 'Linha azul reaberta'`

const go = `client.Notifications.Publish(ctx, "metro/linhas",
	sininho.PublishInput{Title: "Linha azul reaberta"})`

/** For publishers: three ways to publish, the documentation, and a link to try it. */
export function Publishing() {
  return (
    <section className={classes.door} aria-labelledby="publishing">
      <div className={classes.head}>
        <p className={classes.label}>{publishing.door}</p>
        <h2 id="publishing" className={classes.title}>
          {publishing.title}
        </h2>
        <p className={classes.text}>{publishing.text}</p>
      </div>
      <div className={classes.snippets}>
        <Tabs
          label={publishing.ways}
          tabs={[
            { name: 'HTTP', content: <Snippet name="HTTP" text={publishing.api} code={http} /> },
            { name: 'CLI', content: <Snippet name="CLI" text={publishing.cli} code={cli} /> },
            { name: 'Go', content: <Snippet name="Go" text={publishing.go} code={go} /> },
          ]}
        />
      </div>
      <div className={classes.actions}>
        <Button component={Link} to="/demo" variant="default" size="md">
          {publishing.demo}
        </Button>
        <Button component="a" href={docsPath} hrefLang="en" variant="subtle" size="md">
          {welcome.docs}
        </Button>
      </div>
    </section>
  )
}

function Snippet({ name, text, code }: { name: string; text: string; code: string }) {
  return (
    <>
      <p className={classes.about}>{text}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre className={classes.code} tabIndex={0} role="region" aria-label={demo.snippet(name)}>
        {code}
      </pre>
    </>
  )
}
