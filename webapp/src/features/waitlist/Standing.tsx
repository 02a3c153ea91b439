import type { WaitlistPlace } from '@sininho/sdk'
import type { ReactNode } from 'react'
import { waitlist } from '../../i18n/waitlist'
import { PageTitle } from '../../ui/PageTitle'
import classes from './Place.module.css'
import { ShareLink } from './ShareLink'

/** The position of a confirmed entry, and the referral link that improves it. */
export function Standing({ place, children }: { place: WaitlistPlace; children: ReactNode }) {
  const { email, name, position, total, referrals, referralUrl } = place
  return (
    <div className={classes.page}>
      <section className={classes.standing}>
        <PageTitle className={classes.title}>{name ? waitlist.place.titleOf(name) : waitlist.place.title}</PageTitle>
        {position !== undefined && (
          <p className={classes.position}>
            <span className={classes.number}>{waitlist.place.position(position)}</span>
            <span className={classes.total}>{waitlist.place.total(total)}</span>
          </p>
        )}
        <p className={classes.text}>{waitlist.place.confirmed(email)}</p>
      </section>
      <section className={classes.referrals} aria-labelledby="referrals">
        <h2 id="referrals" className={classes.heading}>
          {waitlist.place.share}
        </h2>
        <p className={classes.text}>{waitlist.place.shareText}</p>
        <ShareLink url={referralUrl} />
        <p className={classes.count}>{waitlist.place.referrals(referrals)}</p>
      </section>
      {children}
    </div>
  )
}
