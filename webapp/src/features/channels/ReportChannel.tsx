import type { Channel } from '@sininho/sdk'
import { ActionIcon } from '@mantine/core'
import { IconFlag } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { reportMutation } from '../../data/reports'
import { words } from '../../i18n/words'
import { onDemand } from '../../ui/onDemand'

const ReportDialog = onDemand(() => import('../../ui/ReportDialog'))

/** Reports a channel to the operators. */
export function ReportChannel({ channel }: { channel: Channel }) {
  const [open, setOpen] = useState(false)
  const { mutate } = useMutation(reportMutation({ channel }))
  return (
    <>
      <ActionIcon
        radius="xl"
        aria-label={words.report.action}
        title={words.report.action}
        onClick={() => setOpen(true)}
      >
        <IconFlag size={20} />
      </ActionIcon>
      {open && <ReportDialog channel={channel.name} onReport={mutate} onClose={() => setOpen(false)} />}
    </>
  )
}
