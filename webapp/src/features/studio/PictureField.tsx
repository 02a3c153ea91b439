import { Button, FileButton, Group, Input, TextInput } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
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
  /** Opens the choice of a file at once, because a button for a picture was pressed. */
  opens?: boolean
}

/** A picture from the camera or a file, or at an address. */
export function PictureField({ label, hint, value, fault, uploading, face, onFile, onChange, onRemove, opens }: Props) {
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
        {src && <Chosen src={src} face={face} />}
        <FileChoice uploading={uploading} opens={opens} onFile={onFile}>
          {value ? words.change : words.choose}
        </FileChoice>
        {value !== '' && onRemove && (
          <Button variant="subtle" px={12} onClick={onRemove}>
            {words.remove}
          </Button>
        )}
        {onChange && !typed && value === '' && (
          <Button variant="subtle" px={12} onClick={() => setTyped(true)}>
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

type FileChoiceProps = Pick<Props, 'uploading' | 'opens' | 'onFile'> & { children: string }

function FileChoice({ uploading, opens, onFile, children }: FileChoiceProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (opens) button.current?.click()
  }, [opens])
  return (
    <FileButton accept="image/*" onChange={(file) => file && onFile(file)}>
      {(props) => (
        <Button
          {...props}
          ref={button}
          variant="default"
          loading={uploading}
          leftSection={<IconPhoto size={20} aria-hidden />}
        >
          {children}
        </Button>
      )}
    </FileButton>
  )
}

const Chosen = ({ src, face }: { src: string; face?: boolean }) =>
  face ? <ChannelIcon icon={src} name="" size={64} /> : <Picture src={src} className={classes.chosen} />
