import { Button, Flex, Text, TextInput } from '@mantine/core'
import { studio } from '../../i18n/studio'
import { useTaken } from '../../data/useTaken'

const words = studio.begin

type Props = {
  /** The slug of one of the person's publishers; '' for a new one, which has no channels yet. */
  known: string
  publisher: string
  slug: string
  chosen: boolean
  fault?: string
  onChange: (slug: string) => void
}

/** The address that a new channel gets: shown as it follows from the name, and a field for whoever wants another. */
export function AddressField({ known, publisher, slug, chosen, fault, onChange }: Props) {
  const taken = useTaken(known && slug ? { publisherSlug: known, slug } : undefined)
  const shown = taken ? words.taken : fault
  if (!chosen && !shown) {
    if (!slug || !publisher) return null
    return (
      <Flex wrap="wrap" align="center" gap="0 12px" mt={-8}>
        <Text c="dimmed" fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {location.host}/channels/{publisher}/{slug}
        </Text>
        <Button variant="subtle" size="sm" px={0} onClick={() => onChange(slug)}>
          {words.changeAddress}
        </Button>
      </Flex>
    )
  }
  return (
    <TextInput
      label={words.address}
      description={words.addressHint}
      maxLength={63}
      autoComplete="off"
      autoCapitalize="none"
      required
      value={slug}
      error={shown}
      onChange={({ currentTarget }) => onChange(currentTarget.value.toLowerCase())}
    />
  )
}
