import type { Report } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { admin } from '../../i18n/admin'
import { agoLabel } from '../../lib/dates'
import { formatChannel } from '../../lib/paths'
import { Button } from '../../ui/Button'
import { ReasonDialog } from './ReasonDialog'
import { SuspendButton } from './SuspendButton'
import { closeReportMutation, withdrawMutation } from './mutations'
import classes from './ReportRow.module.css'
import shared from './admin.module.css'

/** A report, with what operators can do about it. */
export function ReportRow({ report, onClose }: { report: Report; onClose: () => void }) {
  const { publisherSlug, channelSlug, category, title, text, reporter, createdAt, notificationId } = report
  const address = formatChannel({ publisherSlug, slug: channelSlug })
  return (
    <li className={shared.row}>
      <div className={`${shared.words} ${shared.wide}`}>
        <p className={classes.head}>
          <span>
            <Link to="/channels/$publisherSlug/$channelSlug" params={{ publisherSlug, channelSlug }}>
              {address}
            </Link>
          </span>
          <span className={shared.tag}>{admin.reports.categories[category] ?? category}</span>
        </p>
        <p className={shared.body}>{notificationId ? admin.reports.about(title ?? '') : admin.reports.aboutChannel}</p>
        {text && <p className={shared.body}>{admin.reports.text(text)}</p>}
        <p className={shared.meta}>
          {admin.reports.by(`${reporter.name} <${reporter.email}>`, agoLabel(new Date(createdAt)))}
        </p>
      </div>
      {report.status === 'open' && <Actions report={report} address={address} onClose={onClose} />}
    </li>
  )
}

function Actions({ report, address, onClose }: { report: Report; address: string; onClose: () => void }) {
  const { publisherSlug, channelSlug, notificationId } = report
  const close = useMutation(closeReportMutation(report))
  const end = (status: 'resolved' | 'dismissed') => {
    onClose()
    close.mutate(status)
  }
  return (
    <div className={classes.actions}>
      <div className={classes.pair}>
        <Button
          variant="light"
          disabled={close.isPending}
          aria-label={admin.reports.resolveName(address)}
          onClick={() => end('resolved')}
        >
          {admin.reports.resolve}
        </Button>
        <Button
          variant="default"
          disabled={close.isPending}
          aria-label={admin.reports.dismissName(address)}
          onClick={() => end('dismissed')}
        >
          {admin.reports.dismiss}
        </Button>
      </div>
      <div className={classes.pair}>
        {notificationId && <WithdrawButton id={notificationId} />}
        <SuspendButton
          what={{ kind: 'channel', publisherSlug, channelSlug }}
          name={address}
          suspended={false}
          label={admin.reports.suspendChannel}
          subtle
        />
      </div>
    </div>
  )
}

function WithdrawButton({ id }: { id: string }) {
  const withdraw = useMutation(withdrawMutation(id))
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        danger
        loading={withdraw.isPending}
        disabled={withdraw.isSuccess}
        onClick={() => setAsking(true)}
      >
        {admin.reports.withdraw}
      </Button>
      {asking && (
        <ReasonDialog
          question={admin.moderation.withdrawQuestion}
          text={admin.moderation.withdrawText}
          hint={admin.moderation.withdrawHint}
          action={admin.moderation.withdraw}
          onReason={withdraw.mutate}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
