import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { categoriesQuery } from '../../data/categories'
import { admin } from '../../i18n/admin'
import { words } from '../../i18n/words'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { Loaded } from '../../ui/Loaded'
import { ListSkeleton } from '../../ui/skeletons'
import { CategoryForm } from './CategoryForm'
import { CategoryRow } from './CategoryRow'
import { createCategoryMutation } from './mutations'
import shared from './admin.module.css'

/** The categories of channels, in their order. */
export function Categories() {
  const query = useQuery(categoriesQuery())
  const create = useMutation(createCategoryMutation())
  const [writing, setWriting] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  return (
    <>
      {writing ? (
        <CategoryForm
          label={admin.categories.form}
          action={admin.categories.create}
          pending={create.isPending}
          onCancel={() => setWriting(false)}
          onSubmit={(values) => create.mutate(values, { onSuccess: () => setWriting(false) })}
        />
      ) : (
        <div>
          <Button size="md" leftSection={<IconPlus size={20} />} onClick={() => setWriting(true)}>
            {admin.categories.create}
          </Button>
        </div>
      )}
      <Loaded query={query} skeleton={<ListSkeleton label={words.loading} rows={4} tall={false} />}>
        {(categories) =>
          categories.length === 0 ? (
            <EmptyState icon={<IconPlus />} title={admin.categories.empty} />
          ) : (
            <ul ref={list} tabIndex={-1} aria-label={admin.titles.categories} className={shared.list}>
              {categories.map((category) => (
                <CategoryRow key={category.id} category={category} onRemove={() => list.current?.focus()} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}
