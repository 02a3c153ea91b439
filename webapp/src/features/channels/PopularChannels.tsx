import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { pt } from '../../i18n/pt'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { ErrorPanel } from '../../ui/ErrorPanel'
import { ListSkeleton } from '../../ui/skeletons'
import classes from './PopularChannels.module.css'
import { suggestedQuery } from './queries'

export function PopularChannels() {
  const { data, error, isPending, refetch } = useQuery(suggestedQuery())
  return (
    <section className={classes.section} aria-labelledby="popular">
      <div className={classes.head}>
        <h2 id="popular" className={classes.title}>
          {pt.index.popular}
        </h2>
        <Link to="/channels" className={classes.all}>
          {pt.index.all}
        </Link>
      </div>
      {isPending && <ListSkeleton label={pt.loading} rows={3} />}
      {error && !data && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      <ul className={classes.grid}>
        {data?.map(({ id, publisherSlug, slug, name, icon, description }) => (
          <li key={id}>
            <Link
              to="/channels/$publisherSlug/$channelSlug"
              params={{ publisherSlug, channelSlug: slug }}
              className={classes.tile}
            >
              <ChannelIcon icon={icon} name={name} size={56} />
              <span className={classes.text}>
                <span className={classes.name}>{name}</span>
                <span className={classes.description}>{description}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
