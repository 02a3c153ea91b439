import { IconBell, IconLayoutGrid, IconLogin2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSignedIn } from '../../data/useSignedIn'
import { isWaitlisted } from '../../env'
import { welcome } from '../../i18n/welcome'
import { waitlistAnchor } from '../../lib/paths'
import { Button } from '../../ui/Button'
import classes from './Doors.module.css'

const { door, title, ways, ...labels } = welcome.reading

/** For readers: choose channels, sign in, install. */
export function Reading() {
  const invited = isWaitlisted()
  return (
    <section className={classes.door} aria-labelledby="reading">
      <div className={classes.head}>
        <p className={classes.label}>{door}</p>
        <h2 id="reading" className={classes.title}>
          {title}
        </h2>
      </div>
      <ol className={classes.ways}>
        <Way icon={<IconLayoutGrid />} {...ways.choose} />
        <Way icon={<IconLogin2 />} {...(invited ? ways.invited : ways.signIn)} />
        <Way icon={<IconBell />} {...ways.bell} />
      </ol>
      <div className={classes.actions}>
        <Button component={Link} to="/channels" size="md">
          {labels.choose}
        </Button>
        <Enter invited={invited} />
      </div>
    </section>
  )
}

function Way({ icon, title, text }: { icon: ReactNode; title: string; text: string }) {
  return (
    <li className={classes.way}>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <div>
        <h3 className={classes.name}>{title}</h3>
        <p className={classes.text}>{text}</p>
      </div>
    </li>
  )
}

/** Leads to the feed, to sign-in, or to the waiting list if signing up needs an invitation. */
function Enter({ invited }: { invited: boolean }) {
  const signedIn = useSignedIn()
  const common = { variant: 'default', size: 'md' } as const
  if (signedIn) {
    return (
      <Button {...common} component={Link} to="/feed">
        {labels.feed}
      </Button>
    )
  }
  return invited ? (
    <Button {...common} component={Link} to="/" hash={waitlistAnchor}>
      {labels.waitlist}
    </Button>
  ) : (
    <Button {...common} component={Link} to="/login">
      {labels.signIn}
    </Button>
  )
}
