import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { pt } from '../../i18n/pt'
import { ErrorPanel } from '../../ui/ErrorPanel'
import classes from './Categories.module.css'
import { categoriesQuery } from './queries'

/** As many as there commonly are, so that nothing moves when they come. */
const expected = 8

/** The subjects that there are channels of; each leads to its own. */
export function Categories() {
  const { data, error, refetch } = useQuery(categoriesQuery())
  return (
    <section className={classes.section} aria-labelledby="categories" aria-busy={!data && !error}>
      <h2 id="categories" className={classes.title}>
        {pt.index.categories}
      </h2>
      {error && !data && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      <ul className={classes.grid}>
        {data?.map(({ id, slug, name, channelCount }) => (
          <li key={id}>
            <Link to="/channels" search={{ category: slug }} className={classes.tile}>
              <span className={classes.name}>{name}</span>
              <span className={classes.count}>{pt.channels.found(channelCount)}</span>
            </Link>
          </li>
        ))}
        {!data &&
          !error &&
          Array.from({ length: expected }, (_, index) => (
            <li key={index} aria-hidden>
              <Skeleton height={76} radius={12} />
            </li>
          ))}
      </ul>
    </section>
  )
}
