import type { Category } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { admin } from '../../i18n/admin'
import { Button } from '../../ui/Button'
import { Confirm } from '../../ui/Confirm'
import { Meta } from '../../ui/Meta'
import { CategoryForm } from './CategoryForm'
import { deleteCategoryMutation, updateCategoryMutation } from './mutations'
import shared from './admin.module.css'

export function CategoryRow({ category, onRemove }: { category: Category; onRemove: () => void }) {
  const { id, slug, name, position, channelCount } = category
  const update = useMutation(updateCategoryMutation(id))
  const remove = useMutation(deleteCategoryMutation(id))
  const [editing, setEditing] = useState(false)
  const [asking, setAsking] = useState(false)
  if (editing) {
    return (
      <li className={shared.row}>
        <CategoryForm
          label={admin.categories.editForm(name)}
          category={category}
          pending={update.isPending}
          onCancel={() => setEditing(false)}
          onSubmit={(values) => update.mutate(values, { onSuccess: () => setEditing(false) })}
        />
      </li>
    )
  }
  return (
    <li className={shared.row}>
      <div className={shared.words}>
        <p className={shared.name}>{name}</p>
        <Meta>
          {slug}
          {admin.categories.channels(channelCount)}
          {admin.categories.at(position)}
        </Meta>
      </div>
      <div className={shared.actions}>
        <Button variant="default" aria-label={admin.categories.editName(name)} onClick={() => setEditing(true)}>
          {admin.categories.edit}
        </Button>
        <Button
          variant="default"
          className={shared.remove}
          aria-label={admin.categories.removeName(name)}
          onClick={() => setAsking(true)}
        >
          {admin.categories.remove}
        </Button>
      </div>
      {asking && (
        <Confirm
          question={admin.categories.removeQuestion(name)}
          text={admin.categories.removeText}
          action={admin.categories.remove}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            onRemove()
            remove.mutate()
          }}
        />
      )}
    </li>
  )
}
