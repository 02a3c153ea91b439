import { Button, Group } from '@mantine/core'
import { type Icon, IconCalendarTime, IconHourglass, IconLink, IconPhoto } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { studio } from '../../i18n/studio'
import type { Faults } from './faults'
import { type Message, type Option, options } from './message'
import { OptionField } from './OptionField'
import { PictureField } from './PictureField'

const words = studio.composer

const icons: Record<Option, Icon> = {
  image: IconPhoto,
  link: IconLink,
  scheduledAt: IconCalendarTime,
  expiresAt: IconHourglass,
}

type Props = {
  chosen: Pick<Message, Option>
  /** The options that are shown as fields. */
  asked: readonly Option[]
  onAsked: (asked: Option[]) => void
  /** What is not asked for, and cannot be taken away. */
  settled?: Option
  faults: Faults
  uploading: boolean
  onFile: (file: File) => void
  onChange: (part: Partial<Message>) => void
}

/** What may go along with a message: fields for what it has or was asked for, and buttons that ask for the others. */
export const Options = memo(function Options(props: Props) {
  const { chosen, asked, onAsked, settled, faults, uploading, onFile, onChange } = props
  const [opens, setOpens] = useState(false)
  const left = options.filter((option) => option !== settled && !asked.includes(option))
  const ask = (option: Option) => {
    setOpens(option === 'image')
    onAsked([...asked, option])
  }
  const remove = (option: Option) => {
    setOpens(false)
    onAsked(asked.filter((each) => each !== option))
    onChange({ [option]: '' })
  }
  return (
    <>
      {asked.map((option) =>
        option === 'image' ? (
          <PictureField
            key={option}
            label={words.option.image}
            hint={words.hint.image}
            value={chosen.image}
            fault={faults.image}
            uploading={uploading}
            opens={opens}
            onFile={onFile}
            onChange={(image) => onChange({ image })}
            onRemove={() => remove(option)}
          />
        ) : (
          <OptionField
            key={option}
            option={option}
            value={chosen[option]}
            fault={faults[option]}
            onChange={(value) => onChange({ [option]: value })}
            onRemove={option === settled ? undefined : () => remove(option)}
          />
        ),
      )}
      {left.length > 0 && (
        <Group role="group" aria-label={words.add}>
          {left.map((option) => (
            <OptionButton key={option} option={option} onClick={() => ask(option)} />
          ))}
        </Group>
      )}
    </>
  )
})

function OptionButton({ option, onClick }: { option: Option; onClick: () => void }) {
  const IconOf = icons[option]
  return (
    <Button size="sm" variant="default" px={12} leftSection={<IconOf size={18} aria-hidden />} onClick={onClick}>
      {words.option[option]}
    </Button>
  )
}
