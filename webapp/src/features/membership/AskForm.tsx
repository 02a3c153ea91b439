import { Button, Paper, Text, TextInput, Textarea, Title } from '@mantine/core'
import { ApiError, type PublisherRequestInput } from '@sininho/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTaken } from '../../data/useTaken'
import { address } from '../../i18n/address'
import { asking } from '../../i18n/asking'
import { faultsOf } from '../../lib/faults'
import { focusHeading } from '../../lib/focus'
import { isSlug, slugOf } from '../../lib/slug'
import { AddressField } from '../../ui/AddressField'
import { Form } from '../../ui/Form'
import ui from '../../ui/ui.module.css'
import { askMutation } from './mutations'

/** What is asked for. The slug follows the name until it was chosen. */
type Values = { name: string; slug?: string; reason: string }
type Faults = Partial<Record<'name' | 'slug' | 'reason', string>>

/** Asks for a publisher, beginning with what was asked for before. */
export function AskForm({ before }: { before?: PublisherRequestInput }) {
  const ask = useMutation({ ...askMutation(), onSuccess: focusHeading }) // with it, because the form may be gone
  const [values, setValues] = useState<Values>({
    name: before?.name ?? '',
    ...(before && { slug: before.slug }),
    reason: before?.reason ?? '',
  })
  const [tried, setTried] = useState(false)
  const change = (part: Partial<Values>) => setValues({ ...values, ...part })
  const body = bodyOf(values)
  const taken = useTaken(body.slug ? { publisherSlug: body.slug } : undefined)
  const own = faultsIn(body)
  const faults: Faults = {
    ...serverFaults(ask.error, ask.variables, body),
    ...(tried && own),
    ...(taken && { slug: address.taken }),
  }
  const submit = () => {
    setTried(true)
    if (!ask.isPending && !taken && Object.keys(own).length === 0) ask.mutate(body)
  }
  return (
    <Paper withBorder className={ui.card}>
      <Form aria-label={asking.form} faults={faults} onSubmit={submit}>
        <Title order={2} size="h3">
          {asking.title}
        </Title>
        <Text c="dimmed">{asking.text}</Text>
        <TextInput
          label={asking.name}
          description={asking.nameHint}
          maxLength={100}
          autoComplete="organization"
          required
          value={values.name}
          error={faults.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <AddressField
          slug={body.slug}
          chosen={values.slug !== undefined}
          {...(values.name.trim() && faults.slug && { fault: faults.slug })}
          onChange={(slug) => change({ slug })}
        />
        <Textarea
          label={asking.reason}
          description={asking.reasonHint}
          rows={3}
          maxLength={1000}
          value={values.reason}
          error={faults.reason}
          onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
        />
        <Button type="submit" loading={ask.isPending}>
          {asking.send}
        </Button>
      </Form>
    </Paper>
  )
}

function bodyOf({ name, slug, reason }: Values): PublisherRequestInput {
  return {
    slug: slug ?? slugOf(name),
    name: name.trim(),
    ...(reason.trim() && { reason: reason.trim() }),
  }
}

const faultsIn = ({ name, slug }: PublisherRequestInput): Faults => ({
  ...(name === '' && { name: asking.nameMissing }),
  ...(name !== '' && !isSlug(slug) && { slug: address.wrong }),
})

/** What the server found wrong, as far as it has not changed since. */
function serverFaults(
  error: Error | null,
  sent: PublisherRequestInput | undefined,
  now: PublisherRequestInput,
): Faults {
  const isTaken = error instanceof ApiError && error.code === 'slug_taken' && sent?.slug === now.slug
  return { ...faultsOf(error, sent, now), ...(isTaken && { slug: address.taken }) }
}
