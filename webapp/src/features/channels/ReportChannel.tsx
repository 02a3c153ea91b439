import type { Channel } from '@sininho/sdk'
import { Button } from '@mantine/core'
import { IconFlag } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { reportMutation } from '../../data/reports'
import { pt } from '../../i18n/pt'
import classes from './ChannelHeader.module.css'

const ReportDialog = lazy(() => import('../../ui/ReportDialog'))

/** Reports a channel to the operators. */
export function ReportChannel({ channel }: { channel: Channel }) {
  const [open, setOpen] = useState(false)
  const { mutate } = useMutation(reportMutation({ channel }))
  return (
    <>
      <Button
        variant="subtle"
        size="md"
        ml={-16}
        className={classes.report}
        leftSection={<IconFlag size={20} />}
        onClick={() => setOpen(true)}
      >
        {pt.report.action}
      </Button>
      {open && (
        <Suspense>
          <ReportDialog channel={channel.name} onReport={mutate} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
