import type { Bell } from '@sininho/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { meQuery, updateMeMutation } from '../../data/me'
import { words } from '../../i18n/words'
import { settings } from '../../i18n/settings'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import classes from './BellDefault.module.css'

const levels = ['all', 'important', 'none'] as const satisfies readonly Bell[]

/** The bell level of newly followed channels. */
export function BellDefault() {
  const query = useQuery(meQuery())
  const update = useMutation(updateMeMutation(useQueryClient()))
  const id = useId()
  return (
    <div className={classes.panel}>
      <p className={classes.text}>{settings.bellDefault.text}</p>
      <Loaded query={query} skeleton={<BlockSkeleton label={words.loading} height={192} />}>
        {({ bellDefault }) => (
          <fieldset className={classes.levels} aria-label={settings.bellDefault.title}>
            {levels.map((level) => (
              <div key={level} className={classes.level}>
                <input
                  type="radio"
                  id={id + level}
                  name={id}
                  checked={bellDefault === level}
                  aria-describedby={`${id}${level}-hint`}
                  onChange={() => update.mutate({ bellDefault: level })}
                />
                <div>
                  <label htmlFor={id + level} className={classes.name}>
                    {words.followed.bell[level]}
                  </label>
                  <p id={`${id}${level}-hint`} className={classes.hint}>
                    {words.followed.bellHint[level]}
                  </p>
                </div>
              </div>
            ))}
          </fieldset>
        )}
      </Loaded>
    </div>
  )
}
