import { Button, Flex, Text, TextInput } from '@mantine/core'
import { address as words } from '../i18n/address'

type Props = {
  /** Whose address comes before it; without one, its own is the first. */
  publisher?: string
  slug: string
  /** The slug no longer follows from a name. */
  chosen: boolean
  fault?: string
  onChange: (slug: string) => void
}

/** The address of something new: shown as it follows from the name, and a field for whoever wants another or needs one. */
export function AddressField({ publisher, slug, chosen, fault, onChange }: Props) {
  if (!chosen && !fault) {
    if (!slug || publisher === '') return null
    return (
      <Flex wrap="wrap" align="center" gap="0 12px" mt={-8}>
        <Text c="dimmed" fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {[location.host, 'channels', publisher, slug].filter((part) => part !== undefined).join('/')}
        </Text>
        <Button variant="subtle" size="sm" px={0} onClick={() => onChange(slug)}>
          {words.change}
        </Button>
      </Flex>
    )
  }
  return (
    <TextInput
      label={words.label}
      description={words.hint}
      maxLength={63}
      autoComplete="off"
      autoCapitalize="none"
      required
      value={slug}
      error={fault}
      onChange={({ currentTarget }) => onChange(currentTarget.value.toLowerCase())}
    />
  )
}
