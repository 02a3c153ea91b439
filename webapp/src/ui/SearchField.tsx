import { CloseButton, Input } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { words } from '../i18n/words'
import { isSearch } from '../lib/search'

type Props = {
  label: string
  hint: string
  value: string | undefined
  onSearch: (q: string | undefined) => void
  /** Searches what is here already, so that there is no need to wait for the end of a word. */
  local?: boolean
}

/** Milliseconds without typing, after which a word is searched for. */
const pause = 250

/** A search field whose text is kept elsewhere, as in the URL. */
export function SearchField({ label, hint, value = '', onSearch, local = false }: Props) {
  const [text, setText] = useState(value)
  const typing = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  // the URL also changes elsewhere, as by a button that clears the search; do not overwrite what the person types
  useEffect(() => {
    if (!typing.current) setText(value)
  }, [value])
  const find = (next: string) => onSearch(local || isSearch(next) ? next.trim() || undefined : undefined)
  const findSoon = useDebouncedCallback(find, pause)
  const change = (next: string) => {
    setText(next)
    findSoon.cancel()
    if (local || !next) find(next)
    else findSoon(next)
  }
  const clear = () => {
    field.current?.focus()
    change('')
  }
  return (
    <Input
      ref={field}
      type="search"
      size="md"
      aria-label={label}
      placeholder={hint}
      value={text}
      maxLength={200}
      leftSection={<IconSearch size={20} aria-hidden />}
      rightSectionPointerEvents="all"
      rightSection={text && <CloseButton aria-label={words.channels.clear} onClick={clear} />}
      onFocus={() => (typing.current = true)}
      onBlur={() => (typing.current = false)}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
