import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import classes from './SearchField.module.css'

type Props = {
  label: string
  hint: string
  value: string | undefined
  onSearch: (q: string | undefined) => void
  /** Searches what is here already, so that there is no need to wait for the end of a word. */
  local?: boolean
}

/** A search field whose text is kept elsewhere, as in the URL. */
export function SearchField({ label, hint, value, onSearch, local = false }: Props) {
  const field = useRef<HTMLInputElement>(null)
  // the URL also changes elsewhere, as by a button that clears the search; do not overwrite what the person types
  useEffect(() => {
    if (field.current && field.current !== document.activeElement) field.current.value = value ?? ''
  }, [value])
  const search = (text: string) => onSearch(text.trim() || undefined)
  const searchSoon = useDebouncedCallback(search, 250)
  return (
    <div className={classes.search}>
      <IconSearch size={20} aria-hidden />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={hint}
        defaultValue={value}
        maxLength={200}
        onChange={({ currentTarget }) => (local ? search : searchSoon)(currentTarget.value)}
      />
    </div>
  )
}
