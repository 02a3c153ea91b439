import { Radio, Stack } from '@mantine/core'
import { studio } from '../../i18n/studio'

const words = studio.visibility
const values = ['public', 'unlisted', 'private'] as const
export type ChosenVisibility = (typeof values)[number]

type Props = { value: ChosenVisibility; onChange: (value: ChosenVisibility) => void }

/** Asks who may see a channel. */
export const VisibilityChoice = ({ value, onChange }: Props) => (
  <Radio.Group label={words.label} value={value} onChange={(next) => onChange(next as ChosenVisibility)}>
    <Stack gap={4} mt={4}>
      {values.map((each) => (
        <Radio key={each} mih={44} py={4} value={each} label={words[each]} description={words[`${each}Hint`]} />
      ))}
    </Stack>
  </Radio.Group>
)
