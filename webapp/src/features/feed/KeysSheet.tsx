import { Button, Divider, Group, Kbd, Stack, Switch, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { keys } from '../../i18n/keys'
import { words } from '../../i18n/words'
import { Dialog } from '../../ui/Dialog'

type Props = { on: boolean; onChange: (on: boolean) => void; onClose: () => void }

/** All keyboard shortcuts of the feed, and whether they act. */
export default function KeysSheet({ on, onChange, onClose }: Props) {
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <Stack>
        {keys.groups.map((group) => (
          <Keys key={group.title} on={on} {...group} />
        ))}
        <Divider />
        <Group gap={16} wrap="nowrap" justify="space-between">
          <Switch
            label={keys.on}
            description={keys.off}
            checked={on}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />
          <Button size="sm" variant="default" flex="none" data-autofocus onClick={onClose}>
            {words.close}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function Keys({ on, title, rows }: (typeof keys.groups)[number] & { on: boolean }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Title id={id} order={3} mb={4} c="dimmed" fz={13} fw={600}>
        {title}
      </Title>
      <dl>
        {rows.map(({ key, does }) => (
          <Group key={key} wrap="nowrap" mih={36} c={on ? undefined : 'dimmed'}>
            <Text component="dt" w={76}>
              <Kbd>{key}</Kbd>
            </Text>
            <Text component="dd" fz={15}>
              {does}
            </Text>
          </Group>
        ))}
      </dl>
    </section>
  )
}
