import { Button, TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { Form } from '../../ui/Form'

type Props = Pick<TextInputProps, 'type' | 'label' | 'placeholder' | 'leftSection' | 'maxLength' | 'autoCapitalize'> & {
  action: string
  /** What is searched for now. */
  value: string | undefined
  onSearch: (text: string | undefined) => void
}

/** Searches when it is sent. */
export function SearchForm({ action, value = '', onSearch, ...field }: Props) {
  const [text, setText] = useState(value)
  return (
    <search>
      <Form
        direction="row"
        wrap="wrap"
        align="flex-end"
        gap="8px 16px"
        onSubmit={() => onSearch(text.trim() || undefined)}
      >
        <TextInput flex="1 1 160px" value={text} onChange={(event) => setText(event.currentTarget.value)} {...field} />
        <Button type="submit" variant="default">
          {action}
        </Button>
      </Form>
    </search>
  )
}
