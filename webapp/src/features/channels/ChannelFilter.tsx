import { Flex } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { categoriesQuery } from '../../data/categories'
import { words } from '../../i18n/words'
import { SearchField } from '../../ui/SearchField'
import ui from '../../ui/ui.module.css'
import classes from './channels.module.css'
import type { Search } from './search'

type Props = { search: Search; onSearch: (q: string | undefined) => void }

/** Search text and category, both kept in the URL. */
export function ChannelFilter({ search, onSearch }: Props) {
  const { data: categories = [] } = useQuery(categoriesQuery())
  return (
    <Flex component="search" gap={12} my={{ base: '-8px -4px', sm: 0 }} direction="column">
      <SearchField
        label={words.channels.search}
        hint={words.channels.searchHint}
        value={search.q}
        onSearch={onSearch}
      />
      <nav aria-label={words.channels.categories} className={classes.categories}>
        <Category search={search} label={words.channels.allCategories} />
        {categories.map(({ slug, name }) => (
          <Category key={slug} search={search} slug={slug} label={words.channels.category(name)} />
        ))}
      </nav>
    </Flex>
  )
}

function Category({ search, slug, label }: { search: Search; slug?: string; label: string }) {
  return (
    <Link
      to="/channels"
      search={{ ...search, category: slug }}
      activeOptions={{ includeSearch: true, explicitUndefined: true }}
      className={ui.chip}
      resetScroll={false}
    >
      {label}
    </Link>
  )
}
