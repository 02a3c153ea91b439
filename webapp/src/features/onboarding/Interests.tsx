import { Chip, Group } from '@mantine/core'
import { IconMoodEmpty } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { categoriesQuery } from '../../data/categories'
import { onboarding } from '../../i18n/onboarding'
import { words } from '../../i18n/words'
import { EmptyState } from '../../ui/EmptyState'
import { Loaded } from '../../ui/Loaded'
import { ListSkeleton } from '../../ui/skeletons'

type Props = { chosen: string[]; onChange: (chosen: string[]) => void }

export function Interests({ chosen, onChange }: Props) {
  const query = useQuery(categoriesQuery())
  return (
    <Loaded query={query} skeleton={<ListSkeleton rows={2} tall={false} />}>
      {(categories) =>
        categories.length === 0 ? (
          <EmptyState icon={<IconMoodEmpty />} title={onboarding.interests.none} text={onboarding.interests.noneText} />
        ) : (
          <Chip.Group multiple value={chosen} onChange={onChange}>
            <Group gap={12} role="group" aria-label={words.channels.categories}>
              {categories.map(({ id, name }) => (
                <Chip key={id} value={id}>
                  {words.channels.category(name)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        )
      }
    </Loaded>
  )
}
