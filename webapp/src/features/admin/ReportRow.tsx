import { Badge, Button, Group, Text } from '@mantine/core'
import type { Report } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { admin } from '../../i18n/admin'
import { formatChannel, pageOf } from '../../lib/paths'
import { ReasonDialog } from './ReasonDialog'
import { Row } from './Row'
import { SuspendButton } from './SuspendButton'
import { closeReportMutation, withdrawMutation } from './mutations'
import classes from './admin.module.css'

/** A report, with what operators can do about it. */
export function ReportRow({ report, onClose }: { report: Report; onClose: () => void }) {
  const { category, title, text, createdAt, notificationId } = report
  const channel = { publisherSlug: report.publisherSlug, slug: report.channelSlug }
  const address = formatChannel(channel)
  return (
    <Row
      wide
      at={createdAt}
      name={
        <Group gap="6px 8px">
          <span>
            <Link {...pageOf(channel)}>{address}</Link>
          </span>
          <Badge>{admin.reports.categories[category] ?? category}</Badge>
        </Group>
      }
      actions={report.status === 'open' && <Actions report={report} address={address} onClose={onClose} />}
    >
      <Text mt={2} fz={15}>
        {notificationId ? admin.reports.about(title ?? '') : admin.reports.aboutChannel}
      </Text>
      {text && (
        <Text mt={2} fz={15}>
          {admin.reports.text(text)}
        </Text>
      )}
      <Text mt={2} c="dimmed" fz="sm">
        {reporterOf(report)}
      </Text>
    </Row>
  )
}

const reporterOf = ({ reporter: { name, email } }: Report) => (email ? `${name} <${email}>` : name)

function Actions({ report, address, onClose }: { report: Report; address: string; onClose: () => void }) {
  const { publisherSlug, channelSlug, notificationId } = report
  const close = useMutation(closeReportMutation(report))
  const end = (status: 'resolved' | 'dismissed') => {
    onClose()
    close.mutate(status)
  }
  return (
    <Group>
      <Group className={classes.pair}>
        <Button
          size="sm"
          variant="light"
          disabled={close.isPending}
          aria-label={admin.reports.resolveName(address)}
          onClick={() => end('resolved')}
        >
          {admin.reports.resolve}
        </Button>
        <Button
          size="sm"
          variant="default"
          disabled={close.isPending}
          aria-label={admin.reports.dismissName(address)}
          onClick={() => end('dismissed')}
        >
          {admin.reports.dismiss}
        </Button>
      </Group>
      <Group className={classes.pair}>
        {notificationId && <WithdrawButton id={notificationId} />}
        <SuspendButton
          what={{ kind: 'channel', publisherSlug, channelSlug }}
          name={address}
          suspended={false}
          label={admin.reports.suspendChannel}
          subtle
        />
      </Group>
    </Group>
  )
}

function WithdrawButton({ id }: { id: string }) {
  const withdraw = useMutation(withdrawMutation(id))
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button
        size="sm"
        variant="subtle"
        color="danger"
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
