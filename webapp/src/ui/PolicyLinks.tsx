import { Link } from '@tanstack/react-router'
import { env } from '../env'
import { policies } from '../i18n/policies'
import ui from './ui.module.css'

/** Links to the operator's words about privacy and terms of use, as far as there are any. */
export function PolicyLinks() {
  const { PRIVACY, TERMS } = env()
  return (
    <>
      {PRIVACY && <PolicyLink to={PRIVACY} page="/privacy" words={policies.privacy} />}
      {TERMS && <PolicyLink to={TERMS} page="/terms" words={policies.terms} />}
    </>
  )
}

/** The links as a line of their own, below what they are about. */
export function PolicyLine() {
  const { PRIVACY, TERMS } = env()
  if (!PRIVACY && !TERMS) return null
  return (
    <nav aria-label={policies.links} className={ui.policies}>
      <PolicyLinks />
    </nav>
  )
}

type Props = { to: string; page: '/privacy' | '/terms'; words: string }

function PolicyLink({ to, page, words }: Props) {
  return to === page ? (
    <Link to={page} className={ui.quietLink}>
      {words}
    </Link>
  ) : (
    <a href={to} className={ui.quietLink}>
      {words}
    </a>
  )
}
