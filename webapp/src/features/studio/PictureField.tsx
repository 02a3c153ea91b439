import { Button, FileButton, Group, Input, TextInput } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { studio } from '../../i18n/studio'
import { safeLink } from '../../lib/paths'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Picture } from '../../ui/Picture'
import { addressOf } from './message'
import classes from './studio.module.css'

const words = studio.picture

type Props = {
  label: string
  hint: string
  /** The address of the picture; '' for none. */
  value: string
  fault?: string
  uploading: boolean
  /** Shows it as the picture of a channel. */
  face?: boolean
  onFile: (file: File) => void
  /** An address that was typed; without it only files are taken. */
  onChange?: (value: string) => void
  onRemove?: () => void
}

/** A picture from the camera or a file, or at an address. */
export function PictureField({ label, hint, value, fault, uploading, face, onFile, onChange, onRemove }: Props) {
  const [typed, setTyped] = useState(value !== '' && !value.includes('/pictures/uploads/'))
  const src = value.startsWith('data:') ? value : safeLink(addressOf(value.trim()))?.href
  return (
    <Input.Wrapper
      label={label}
      description={value === '' && hint}
      error={typed ? undefined : fault}
      labelElement="div"
      size="md"
    >
      <Group gap={12} mt={8} role="group" aria-label={label}>
        {src &&
          (face ? <ChannelIcon icon={src} name="" size={64} /> : <Picture src={src} className={classes.chosen} />)}
        <FileButton accept="image/*" onChange={(file) => file && onFile(file)}>
          {(props) => (
            <Button {...props} variant="default" loading={uploading} leftSection={<IconPhoto size={20} aria-hidden />}>
              {value ? words.change : words.choose}
            </Button>
          )}
        </FileButton>
        {value !== '' && onRemove && (
          <Button variant="subtle" onClick={onRemove}>
            {words.remove}
          </Button>
        )}
        {onChange && !typed && value === '' && (
          <Button variant="subtle" onClick={() => setTyped(true)}>
            {words.typed}
          </Button>
        )}
      </Group>
      {onChange && typed && (
        <TextInput
          type="url"
          aria-label={words.address(label)}
          placeholder="https://"
          mt={8}
          maxLength={2048}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a button was pressed to show it
          autoFocus={value === ''}
          value={value}
          error={fault}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Input.Wrapper>
  )
}
