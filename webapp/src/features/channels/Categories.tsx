import { Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { categoriesQuery } from '../../data/categories'
import { words } from '../../i18n/words'
import { Loaded } from '../../ui/Loaded'
import ui from '../../ui/ui.module.css'

/** The usual number of categories, so that the layout does not shift when they arrive. */
const expected = 8

/** Categories that have channels, each linking to its channels. Renders nothing when there are none. */
export function Categories() {
  const query = useQuery(categoriesQuery())
  if (query.data?.length === 0) return null
  return (
    <Stack component="section" pt="2.5rem" aria-labelledby="categories" aria-busy={query.isPending}>
      <Title id="categories" order={2}>
        {words.index.categories}
      </Title>
      <Loaded query={query} skeleton={<Tiles />}>
        {(categories) => (
          <ul className={ui.tiles}>
            {categories.map(({ id, slug, name, channelCount }) => (
              <li key={id}>
                <Link to="/channels" search={{ category: slug }} className={`${ui.tile} ${ui.block}`}>
                  <Text span truncate fw={650}>
                    {words.channels.category(name)}
                  </Text>
                  <Text span c="dimmed" fz="sm">
                    {words.channels.found(channelCount)}
                  </Text>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Stack>
  )
}

const Tiles = () => (
  <div className={ui.tiles}>
    {Array.from({ length: expected }, (_, index) => (
      <Skeleton key={index} height={76} radius={12} />
    ))}
  </div>
)
