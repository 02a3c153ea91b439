import { useQuery } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { ErrorPanel } from '../../ui/ErrorPanel'
import { ListSkeleton } from '../../ui/skeletons'
import classes from './Profile.module.css'
import { meQuery } from './queries'

export function Profile() {
  const { data, error, isPending, refetch } = useQuery(meQuery())
  if (isPending) return <ListSkeleton label={pt.loading} rows={1} tall={false} />
  if (!data) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  return (
    <div className={classes.profile}>
      <ChannelIcon icon={data.avatar} name={data.name || data.email} size={56} />
      <div className={classes.text}>
        <p className={classes.name}>{data.name}</p>
        <p className={classes.email}>{data.email}</p>
      </div>
    </div>
  )
}
