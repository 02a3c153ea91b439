import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { invitationsQuery } from '../../data/invitations'
import { invitations } from '../../i18n/invitations'
import ui from '../../ui/ui.module.css'
import classes from './membership.module.css'

/** Leads to the invitations, if there are any. */
export default function InvitationNotice() {
  const { data } = useQuery(invitationsQuery())
  if (!data?.length) return null
  return (
    <Link to="/invitations" className={`${ui.tile} ${classes.notice}`}>
      <IconMail size={20} aria-hidden />
      {invitations.notice(data.length)}
    </Link>
  )
}
