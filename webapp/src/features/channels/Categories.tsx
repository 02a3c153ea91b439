import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { categoriesQuery } from '../../data/categories'
import { words } from '../../i18n/words'
import { Loaded } from '../../ui/Loaded'
import { Skeleton } from '../../ui/Skeleton'
import classes from './Categories.module.css'

/** The usual number of categories, so that the layout does not shift when they arrive. */
const expected = 8

/** Categories that have channels, each linking to its channels. Renders nothing when there are none. */
export function Categories() {
  const query = useQuery(categoriesQuery())
  if (query.data?.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="categories" aria-busy={query.isPending}>
      <h2 id="categories" className={classes.title}>
        {words.index.categories}
      </h2>
      <Loaded query={query} skeleton={<Tiles />}>
        {(categories) => (
          <ul className={classes.grid}>
            {categories.map(({ id, slug, name, channelCount }) => (
              <li key={id}>
                <Link to="/channels" search={{ category: slug }} className={classes.tile}>
                  <span className={classes.name}>{words.channels.category(name)}</span>
                  <span className={classes.count}>{words.channels.found(channelCount)}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

const Tiles = () => (
  <div className={classes.grid}>
    {Array.from({ length: expected }, (_, index) => (
      <Skeleton key={index} height={76} radius={12} />
    ))}
  </div>
)
