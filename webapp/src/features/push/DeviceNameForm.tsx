import { TextInput } from '@mantine/core'
import type { Device } from '@sininho/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { devices } from '../../i18n/push'
import { words } from '../../i18n/words'
import { Button } from '../../ui/Button'
import classes from './DeviceList.module.css'
import { renameDeviceMutation } from './mutations'

export function DeviceNameForm({ device, onDone }: { device: Device; onDone: () => void }) {
  const rename = useMutation(renameDeviceMutation(useQueryClient()))
  const [name, setName] = useState(device.name)
  const missing = name.trim() === ''
  return (
    <form
      className={classes.form}
      aria-label={devices.rename(device.name)}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (missing) return
        if (name.trim() !== device.name) rename.mutate({ id: device.id, name: name.trim() })
        onDone()
      }}
    >
      <TextInput
        aria-label={devices.newName}
        size="md"
        maxLength={100}
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
        autoFocus
        value={name}
        error={missing && devices.nameMissing}
        onKeyDown={(event) => event.key === 'Escape' && onDone()}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={classes.actions}>
        <Button type="submit">{words.save}</Button>
        <Button variant="default" onClick={onDone}>
          {words.cancel}
        </Button>
      </div>
    </form>
  )
}
