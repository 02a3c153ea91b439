import { Box, Button } from '@mantine/core'
import type { Category } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { admin } from '../../i18n/admin'
import { ConfirmButton } from '../../ui/ConfirmButton'
import { Meta } from '../../ui/Meta'
import { CategoryForm } from './CategoryForm'
import { Row } from './Row'
import { deleteCategoryMutation, updateCategoryMutation } from './mutations'

export function CategoryRow({ category, onRemove }: { category: Category; onRemove: () => void }) {
  const { id, slug, name, position, channelCount } = category
  const update = useMutation(updateCategoryMutation(id))
  const remove = useMutation(deleteCategoryMutation(id))
  const [editing, setEditing] = useState(false)
  if (editing) {
    return (
      <Box component="li" py={12}>
        <CategoryForm
          label={admin.categories.editForm(name)}
          category={category}
          pending={update.isPending}
          onCancel={() => setEditing(false)}
          onSubmit={(values) => update.mutate(values, { onSuccess: () => setEditing(false) })}
        />
      </Box>
    )
  }
  return (
    <Row
      name={name}
      actions={
        <>
          <Button
            size="sm"
            variant="default"
            aria-label={admin.categories.editName(name)}
            onClick={() => setEditing(true)}
          >
            {admin.categories.edit}
          </Button>
          <ConfirmButton
            size="sm"
            variant="default"
            c="danger"
            aria-label={admin.categories.removeName(name)}
            question={admin.categories.removeQuestion(name)}
            text={admin.categories.removeText}
            onConfirm={() => {
              onRemove()
              remove.mutate()
            }}
          >
            {admin.categories.remove}
          </ConfirmButton>
        </>
      }
    >
      <Meta>
        {slug}
        {admin.categories.channels(channelCount)}
        {admin.categories.at(position)}
      </Meta>
    </Row>
  )
}
