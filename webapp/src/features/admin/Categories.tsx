import { Button, Paper } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { categoriesQuery } from '../../data/categories'
import { admin } from '../../i18n/admin'
import { EmptyState } from '../../ui/EmptyState'
import { Loaded } from '../../ui/Loaded'
import { ListSkeleton } from '../../ui/skeletons'
import ui from '../../ui/ui.module.css'
import { CategoryForm } from './CategoryForm'
import { CategoryRow } from './CategoryRow'
import { createCategoryMutation } from './mutations'

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
          <Button leftSection={<IconPlus size={20} />} onClick={() => setWriting(true)}>
            {admin.categories.create}
          </Button>
        </div>
      )}
      <Loaded query={query} skeleton={<ListSkeleton rows={4} tall={false} />}>
        {(categories) =>
          categories.length === 0 ? (
            <EmptyState icon={<IconPlus />} title={admin.categories.empty} />
          ) : (
            <Paper
              component="ul"
              withBorder
              px={16}
              ref={list}
              tabIndex={-1}
              aria-label={admin.titles.categories}
              className={ui.rows}
            >
              {categories.map((category) => (
                <CategoryRow key={category.id} category={category} onRemove={() => list.current?.focus()} />
              ))}
            </Paper>
          )
        }
      </Loaded>
    </>
  )
}
