import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconShare2 } from '@tabler/icons-react'
import { words } from '../../i18n/words'
import { waitlist } from '../../i18n/waitlist'
import ui from '../../ui/ui.module.css'
import classes from './waitlist.module.css'

/** A link to copy, or to share with the device's own dialog if it has one. */
export function ShareLink({ url }: { url: string }) {
  const { copy, copied, error } = useClipboard({ timeout: 2000 })
  const sharing = { title: words.appName, text: waitlist.place.shareMessage, url }
  const canShare = typeof navigator.share === 'function'
  // fails when the person closes the device's dialog
  const share = () => void navigator.share(sharing).catch(() => undefined)
  return (
    <Stack gap={12}>
      <code className={classes.link}>{url}</code>
      <Group className={ui.shared}>
        <Button
          variant={canShare ? 'default' : 'filled'}
          leftSection={copied ? <IconCheck size={20} /> : <IconCopy size={20} />}
          onClick={() => copy(url)}
        >
          {copied ? words.copied : waitlist.place.copy}
        </Button>
        {canShare && (
          <Button leftSection={<IconShare2 size={20} />} onClick={share}>
            {waitlist.place.shareAction}
          </Button>
        )}
      </Group>
      {error && (
        <Text c="danger" fz={15}>
          {words.copyFailed}
        </Text>
      )}
      <VisuallyHidden role="status">{copied ? words.copied : ''}</VisuallyHidden>
    </Stack>
  )
}
