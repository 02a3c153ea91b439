import { Link } from '@tanstack/react-router'
import { welcome } from '../../i18n/welcome'
import { docsPath } from '../../lib/paths'
import { Button } from '../../ui/Button'
import { Snippet } from '../../ui/Snippet'
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
            { name: 'HTTP', content: <Snippet label="HTTP" text={http} note={publishing.api} /> },
            { name: 'CLI', content: <Snippet label="CLI" text={cli} note={publishing.cli} /> },
            { name: 'Go', content: <Snippet label="Go" text={go} note={publishing.go} /> },
          ]}
        />
      </div>
      <div className={classes.actions}>
        <Button component={Link} to="/demo" variant="default" size="md">
          {publishing.demo}
        </Button>
        <Button component="a" href={docsPath} hrefLang="en" variant="default" size="md">
          {publishing.docs}
        </Button>
      </div>
    </section>
  )
}
