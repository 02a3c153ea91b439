import { NativeSelect } from '@mantine/core'
import type { Category } from '@sininho/sdk'
import { memo } from 'react'
import { studio } from '../../i18n/studio'
import { words as common } from '../../i18n/words'
import { PictureField } from './PictureField'
import { type ChosenVisibility, VisibilityChoice } from './VisibilityChoice'

type Props = {
  categories: readonly Pick<Category, 'id' | 'name'>[]
  /** The id of the category; '' for none yet. */
  category: string
  categoryFault?: string
  picture: string
  pictureFault?: string
  uploading: boolean
  visibility: ChosenVisibility
  onCategory: (id: string) => void
  onFile: (file: File) => void
  onRemove: () => void
  onVisibility: (value: ChosenVisibility) => void
}

/** What is chosen of a channel, rather than typed. Typing beside it does not render it again. */
export const ChannelChoices = memo(function ChannelChoices(props: Props) {
  const none = { value: '', label: studio.begin.categoryNone, disabled: true }
  const known = props.categories.map(({ id, name }) => ({ value: id, label: common.channels.category(name) }))
  return (
    <>
      <NativeSelect
        label={studio.begin.category}
        required
        data={props.category === '' ? [none, ...known] : known}
        value={props.category}
        error={props.categoryFault}
        onChange={({ currentTarget }) => props.onCategory(currentTarget.value)}
      />
      <PictureField
        label={studio.edit.icon}
        hint={studio.edit.iconHint}
        face
        value={props.picture}
        fault={props.pictureFault}
        uploading={props.uploading}
        onFile={props.onFile}
        onRemove={props.onRemove}
      />
      <VisibilityChoice value={props.visibility} onChange={props.onVisibility} />
    </>
  )
})
