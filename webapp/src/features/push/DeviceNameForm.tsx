import { Button, Group, TextInput } from '@mantine/core'
import type { Device } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { devices } from '../../i18n/push'
import { words } from '../../i18n/words'
import { Form } from '../../ui/Form'
import { renameDeviceMutation } from './mutations'

export function DeviceNameForm({ device, onDone }: { device: Device; onDone: () => void }) {
  const rename = useMutation(renameDeviceMutation())
  const [name, setName] = useState(device.name)
  const missing = name.trim() === ''
  return (
    <Form
      direction="row"
      flex="1 1 200px"
      wrap="wrap"
      align="start"
      gap={8}
      aria-label={devices.rename(device.name)}
      onSubmit={() => {
        if (missing) return
        if (name.trim() !== device.name) rename.mutate({ id: device.id, name: name.trim() })
        onDone()
      }}
    >
      <TextInput
        flex="1 1 180px"
        aria-label={devices.newName}
        maxLength={100}
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
        autoFocus
        value={name}
        error={missing && devices.nameMissing}
        onKeyDown={(event) => event.key === 'Escape' && onDone()}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Group align="stretch" wrap="nowrap">
        <Button size="sm" type="submit">
          {words.save}
        </Button>
        <Button size="sm" variant="default" onClick={onDone}>
          {words.cancel}
        </Button>
      </Group>
    </Form>
  )
}
