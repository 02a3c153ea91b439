import { IconCheck, IconMoodEmpty } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { categoriesQuery } from '../../data/categories'
import { onboarding } from '../../i18n/onboarding'
import { words } from '../../i18n/words'
import { EmptyState } from '../../ui/EmptyState'
import { Loaded } from '../../ui/Loaded'
import { ListSkeleton } from '../../ui/skeletons'
import classes from './Interests.module.css'

type Props = { chosen: string[]; onChange: (chosen: string[]) => void }

export function Interests({ chosen, onChange }: Props) {
  const query = useQuery(categoriesQuery())
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])
  return (
    <Loaded query={query} skeleton={<ListSkeleton label={words.loading} rows={2} tall={false} />}>
      {(categories) =>
        categories.length === 0 ? (
          <EmptyState icon={<IconMoodEmpty />} title={onboarding.interests.none} text={onboarding.interests.noneText} />
        ) : (
          <fieldset className={classes.chips}>
            <legend className={classes.legend}>{words.channels.categories}</legend>
            {categories.map(({ id, name }) => (
              <label key={id} className={classes.chip}>
                <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
                <IconCheck size={18} aria-hidden className={classes.check} />
                {words.channels.category(name)}
              </label>
            ))}
          </fieldset>
        )
      }
    </Loaded>
  )
}
