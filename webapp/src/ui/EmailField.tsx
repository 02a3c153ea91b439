import { TextInput, type TextInputProps } from '@mantine/core'
import type { Ref } from 'react'

/** A field for an email address. */
export const EmailField = (props: TextInputProps & { ref?: Ref<HTMLInputElement> }) => (
  <TextInput
    type="email"
    inputMode="email"
    autoComplete="email"
    spellCheck={false}
    maxLength={254}
    required
    {...props}
  />
)
