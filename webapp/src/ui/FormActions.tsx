import { Button, Group } from '@mantine/core'
import { words } from '../i18n/words'

type Props = { action: string; loading: boolean; disabled?: boolean; color?: 'danger'; onCancel: () => void }

/** The last line of a form that takes the place of something else: it is sent, or taken back. */
export const FormActions = ({ action, onCancel, ...submit }: Props) => (
  <Group align="stretch">
    <Button type="submit" {...submit}>
      {action}
    </Button>
    <Button variant="default" onClick={onCancel}>
      {words.cancel}
    </Button>
  </Group>
)
