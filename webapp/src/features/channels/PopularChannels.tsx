import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { suggestedQuery } from '../../data/channels'
import { words } from '../../i18n/words'
import { iconOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Loaded } from '../../ui/Loaded'
import { ListSkeleton } from '../../ui/skeletons'
import classes from './PopularChannels.module.css'

/** Renders nothing when there are no channels. */
export function PopularChannels() {
  const query = useQuery(suggestedQuery())
  if (query.data?.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="popular">
      <div className={classes.head}>
        <h2 id="popular" className={classes.title}>
          {words.index.popular}
        </h2>
        <Link to="/channels" className={classes.all}>
          {words.index.all}
        </Link>
      </div>
      <Loaded query={query} skeleton={<ListSkeleton label={words.loading} rows={3} />}>
        {(channels) => (
          <ul className={classes.grid}>
            {channels.map(({ id, publisherSlug, slug, name, icon, iconProxy, description }) => (
              <li key={id}>
                <Link
                  to="/channels/$publisherSlug/$channelSlug"
                  params={{ publisherSlug, channelSlug: slug }}
                  className={classes.tile}
                >
                  <ChannelIcon icon={iconOf({ icon, iconProxy })} name={name} size={56} />
                  <span className={classes.text}>
                    <span className={classes.name}>{name}</span>
                    <span className={classes.description}>{description}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}
