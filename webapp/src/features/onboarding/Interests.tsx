import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { pt } from '../../i18n/pt'
import { ErrorPanel } from '../../ui/ErrorPanel'
import { ListSkeleton } from '../../ui/skeletons'
import { categoriesQuery } from '../channels/queries'
import classes from './Interests.module.css'

type Props = { chosen: string[]; onChange: (chosen: string[]) => void }

export function Interests({ chosen, onChange }: Props) {
  const { data, error, isPending, refetch } = useQuery(categoriesQuery())
  if (isPending) return <ListSkeleton label={pt.loading} rows={2} tall={false} />
  if (!data) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])
  return (
    <fieldset className={classes.chips}>
      <legend className={classes.legend}>{pt.channels.categories}</legend>
      {data.map(({ id, name }) => (
        <label key={id} className={classes.chip}>
          <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
          <IconCheck size={18} aria-hidden className={classes.check} />
          {name}
        </label>
      ))}
    </fieldset>
  )
}
