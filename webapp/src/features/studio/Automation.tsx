import { Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { automation as words } from '../../i18n/automation'
import { Snippet } from '../../ui/Snippet'
import { TabbedSnippets } from '../../ui/TabbedSnippets'
import ui from '../../ui/ui.module.css'
import { Fold } from './Fold'
import { type Call, cli, curl, goProgram } from './snippets'
import classes from './studio.module.css'

/** How a program creates what is created here, for whoever looks for it. */
export default function Automation({ call }: { call: Call }) {
  return (
    <div>
      <Fold
        summary={
          <Text span c="dimmed" className={classes.grow}>
            {words.title}
          </Text>
        }
      >
        <Paper withBorder style={{ overflow: 'hidden' }}>
          <TabbedSnippets
            label={words.label}
            snippets={{
              curl: <Snippet label="curl" text={curl(call)} note={words.token} />,
              [words.cli]: <Snippet label={words.cli} text={cli(call)} note={words.token} />,
              Go: <Snippet label="Go" text={goProgram(call)} note={words.token} />,
            }}
          />
        </Paper>
        <Link to="/settings/$section" params={{ section: 'tokens' }} className={ui.link}>
          {words.createToken}
        </Link>
      </Fold>
    </div>
  )
}
