import { Link } from '@tanstack/react-router'
import { env } from '../env'
import { policies } from '../i18n/policies'
import classes from './PolicyLinks.module.css'

/** Links to the operator's words about privacy and terms of use, as far as there are any. */
export function PolicyLinks({ className = classes.link }: { className?: string }) {
  const { PRIVACY, TERMS } = env()
  return (
    <>
      {PRIVACY && <PolicyLink to={PRIVACY} page="/privacy" words={policies.privacy} className={className} />}
      {TERMS && <PolicyLink to={TERMS} page="/terms" words={policies.terms} className={className} />}
    </>
  )
}

/** The links as a line of their own, below what they are about. */
export function PolicyLine() {
  const { PRIVACY, TERMS } = env()
  if (!PRIVACY && !TERMS) return null
  return (
    <nav aria-label={policies.links} className={classes.line}>
      <PolicyLinks />
    </nav>
  )
}

type Props = { to: string; page: '/privacy' | '/terms'; words: string; className: string | undefined }

function PolicyLink({ to, page, words, className }: Props) {
  return to === page ? (
    <Link to={page} className={className}>
      {words}
    </Link>
  ) : (
    <a href={to} className={className}>
      {words}
    </a>
  )
}
