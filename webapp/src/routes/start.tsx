import { createFileRoute } from '@tanstack/react-router'
import { Setup } from '../features/receiving/Setup'
import { type SetupSearch, parseSetup, searchOfSetup } from '../lib/setup-link'

export const Route = createFileRoute('/start')({
  staticData: { plain: true },
  validateSearch: (search: Record<string, unknown>): SetupSearch => searchOfSetup(parseSetup(search)),
  component: Start,
})

function Start() {
  return <Setup wanted={parseSetup(Route.useSearch())} />
}
