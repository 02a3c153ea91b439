import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { categoriesQuery } from '../../data/categories'
import type { ChannelSearch } from '../../data/channels'
import { pt } from '../../i18n/pt'
import classes from './ChannelFilter.module.css'

type Props = { search: ChannelSearch; onSearch: (q: string | undefined) => void }

/** Search text and category, both kept in the URL. */
export function ChannelFilter({ search, onSearch }: Props) {
  const { data: categories = [] } = useQuery(categoriesQuery())
  const field = useRef<HTMLInputElement>(null)
  // the URL also changes elsewhere, as by "Limpar a procura"; do not overwrite the field while the person types
  useEffect(() => {
    if (field.current && field.current !== document.activeElement) field.current.value = search.q ?? ''
  }, [search.q])
  const searchSoon = useDebouncedCallback((text: string) => onSearch(text.trim() || undefined), 250)
  return (
    <search className={classes.filter}>
      <TextInput
        ref={field}
        type="search"
        size="md"
        aria-label={pt.channels.search}
        placeholder={pt.channels.searchHint}
        leftSection={<IconSearch size={20} />}
        defaultValue={search.q}
        maxLength={200}
        onChange={(event) => searchSoon(event.currentTarget.value)}
      />
      <nav aria-label={pt.channels.categories} className={classes.categories}>
        <Category search={search} label={pt.channels.allCategories} />
        {categories.map(({ slug, name }) => (
          <Category key={slug} search={search} slug={slug} label={name} />
        ))}
      </nav>
    </search>
  )
}

function Category({ search, slug, label }: { search: ChannelSearch; slug?: string; label: string }) {
  return (
    <Link
      to="/channels"
      search={{ ...search, category: slug }}
      activeOptions={{ includeSearch: true, explicitUndefined: true }}
      className={classes.category}
      resetScroll={false}
    >
      {label}
    </Link>
  )
}
