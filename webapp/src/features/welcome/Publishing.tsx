import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { demo } from '../../i18n/demo'
import { pt } from '../../i18n/pt'
import classes from './Publishing.module.css'

const ways = [
  {
    name: 'API',
    text: pt.index.publishing.api,
    code: `curl "$SININHO_URL/api/v1/channels/metro/linhas/notifications" \\
  -H "Authorization: Bearer $SININHO_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"title": "Linha azul reaberta"}'`,
  },
  {
    name: 'Go',
    text: pt.index.publishing.go,
    code: `client.Notifications.Publish(ctx, "metro/linhas",
	sininho.PublishInput{Title: "Linha azul reaberta"})`,
  },
  {
    name: demo.cli,
    text: pt.index.publishing.cli,
    code: "sininho publish metro/linhas \\\n  --title 'Linha azul reaberta'",
  },
]

/** For publishers: three ways to publish, and a link to try it. */
export function Publishing() {
  return (
    <section className={classes.section} aria-labelledby="publishing">
      <div className={classes.head}>
        <h2 id="publishing" className={classes.title}>
          {pt.index.publishing.title}
        </h2>
        <p className={classes.text}>{pt.index.publishing.text}</p>
        <Button component={Link} to="/demo" variant="default" radius="xl">
          {pt.index.publishing.demo}
        </Button>
      </div>
      <ul className={classes.ways}>
        {ways.map(({ name, text, code }) => (
          <li key={name} className={classes.way}>
            <h3 className={classes.name}>{name}</h3>
            <p className={classes.text}>{text}</p>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
            <pre className={classes.code} tabIndex={0} role="region" aria-label={demo.snippet(name)}>
              {code}
            </pre>
          </li>
        ))}
      </ul>
    </section>
  )
}
