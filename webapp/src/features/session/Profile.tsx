import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../data/me'
import { words } from '../../i18n/words'
import { avatarOf } from '../../lib/pictures'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import classes from './Profile.module.css'
import { ProfileForm } from './ProfileForm'

/** The signed-in person's profile, with a form to change it. */
export function Profile() {
  const query = useQuery(meQuery())
  return (
    <div className={classes.profile}>
      <Loaded query={query} skeleton={<BlockSkeleton label={words.loading} height={444} />}>
        {(me) => (
          <>
            <div className={classes.person}>
              <ChannelIcon icon={avatarOf(me)} name={me.name || me.email} size={56} />
              <div className={classes.text}>
                <p className={classes.name}>{me.name}</p>
                <p className={classes.email}>{me.email}</p>
              </div>
            </div>
            <ProfileForm me={me} />
          </>
        )}
      </Loaded>
    </div>
  )
}
