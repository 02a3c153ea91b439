import { UnstyledButton } from '@mantine/core'
import type { Notification } from '@sininho/sdk'
import { words } from '../../i18n/words'
import { LinkedText } from '../../ui/LinkedText'
import { ifLoaded } from '../../ui/onDemand'
import ui from '../../ui/ui.module.css'
import { Found } from './Found'
import classes from './feed.module.css'
import { OutLink } from './OutLink'

const Listen = ifLoaded(() => import('./Listen'))

type Props = {
  of: Notification
  titleId: string
  /** What was searched for. */
  q?: string
  unfolded: boolean
  onUnfold: (unfolded: boolean) => void
  onLink: () => void
}

/** Characters. A longer body is collapsed, and then at most foldedBody characters of it are rendered. */
const longBody = 280
const foldedBody = 600

/** The body of a notification, folded while it is long, and its link. */
export function CardText({ of, titleId, q, unfolded, onUnfold, onLink }: Props) {
  const { id, body, link } = of
  const long = body.length > longBody || body.split('\n').length > 5
  const folded = long && !unfolded
  return (
    <>
      {body && (
        <p className={classes.body} dir="auto" data-folded={folded || undefined}>
          {q && !unfolded ? (
            <Found q={q}>{body}</Found>
          ) : (
            <LinkedText onOpen={onLink}>{folded ? body.slice(0, foldedBody) : body}</LinkedText>
          )}
        </p>
      )}
      <div className={classes.foot}>
        {long && (
          <UnstyledButton
            className={`${ui.link} ${classes.more}`}
            aria-expanded={unfolded}
            aria-describedby={titleId}
            onClick={() => onUnfold(!unfolded)}
          >
            {unfolded ? words.feed.less : words.feed.more}
          </UnstyledButton>
        )}
        {unfolded && (
          <>
            <OutLink id={id} link={link} onOpen={onLink} />
            <Listen of={of} />
          </>
        )}
      </div>
    </>
  )
}
