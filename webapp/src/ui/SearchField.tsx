import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { words } from '../i18n/words'
import { isSearch } from '../lib/search'
import classes from './SearchField.module.css'

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
export function SearchField({ label, hint, value, onSearch, local = false }: Props) {
  const field = useRef<HTMLInputElement>(null)
  // the URL also changes elsewhere, as by a button that clears the search; do not overwrite what the person types
  useEffect(() => {
    if (field.current && field.current !== document.activeElement) field.current.value = value ?? ''
  }, [value])
  const search = useRef(onSearch)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    search.current = onSearch
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const onChange = (text: string) => {
    clearTimeout(timer.current)
    const find = () => search.current(local || isSearch(text) ? text.trim() || undefined : undefined)
    if (local || !text) find()
    else timer.current = setTimeout(find, pause)
  }
  const clear = () => {
    const input = field.current!
    input.value = ''
    input.focus()
    onChange('')
  }
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
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <button type="button" className={classes.clear} aria-label={words.channels.clear} onClick={clear} />
    </div>
  )
}
