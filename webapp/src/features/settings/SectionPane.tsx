import { useId } from 'react'
import { settings } from '../../i18n/settings'
import { BackToSettings } from '../../ui/BackToSettings'
import classes from './Section.module.css'
import { Section as Titled } from './Section'
import type { Section } from './section'

type Props = {
  section: Section
  /** Where it is: on a screen of its own, beside the list, or beside the list whose screen it is. */
  place: 'screen' | 'beside' | 'first'
}

/** One section of the settings. */
export function SectionPane({ section: { name, parts }, place }: Props) {
  const id = useId()
  const { title } = settings.sections[name]
  const Heading = place === 'first' ? 'h2' : 'h1'
  return (
    <section aria-labelledby={id} className={classes.pane}>
      {place !== 'first' && <title>{settings.window(title)}</title>}
      {place === 'screen' && <BackToSettings />}
      <Heading id={id} tabIndex={-1} className={place === 'screen' ? classes.heading : classes.lesser}>
        {title}
      </Heading>
      {parts.map(({ hash, title, blocks, Content }) =>
        title === undefined ? (
          <div key={name} className={blocks ? undefined : classes.section}>
            <Content />
          </div>
        ) : (
          <Titled key={title} hash={hash} title={title}>
            <Content />
          </Titled>
        ),
      )}
    </section>
  )
}
