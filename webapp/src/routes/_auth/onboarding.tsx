import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { SuggestedChannels } from '../../features/channels/SuggestedChannels'
import { Interests } from '../../features/onboarding/Interests'
import { Step } from '../../features/onboarding/Steps'
import { saveOnboardingMutation } from '../../features/onboarding/mutations'
import { onboardingQuery } from '../../features/onboarding/queries'
import { PushPanel } from '../../features/push/PushPanel'
import { pt } from '../../i18n/pt'
import { safePath } from '../../lib/paths'

export const Route = createFileRoute('/_auth/onboarding')({
  staticData: { plain: true },
  validateSearch: ({ redirect }: Record<string, unknown>): { redirect?: string } => ({
    redirect: typeof redirect === 'string' ? safePath(redirect, '/feed') : undefined,
  }),
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(onboardingQuery()),
  component: Onboarding,
})

const steps = ['interests', 'channels', 'notifications'] as const
type StepName = (typeof steps)[number]

function Onboarding() {
  const { data: saved } = useSuspenseQuery(onboardingQuery())
  const { redirect } = Route.useSearch()
  const navigate = Route.useNavigate()
  const save = useMutation(saveOnboardingMutation(useQueryClient()))
  const [interests, setInterests] = useState(saved.categoryIds)
  const [shown, setShown] = useState<StepName>(saved.step === 'done' ? 'interests' : saved.step)

  const go = (step: StepName | 'done') =>
    save.mutate(
      { step, categoryIds: interests },
      { onSuccess: () => (step === 'done' ? void navigate({ href: redirect ?? '/feed' }) : setShown(step)) },
    )
  const common = { step: steps.indexOf(shown) + 1, of: steps.length, saving: save.isPending }
  switch (shown) {
    case 'interests':
      return (
        <Step
          {...common}
          key={shown}
          {...pt.onboarding.interests}
          next={{ label: pt.onboarding.next, onClick: () => go('channels') }}
        >
          <Interests chosen={interests} onChange={setInterests} />
        </Step>
      )
    case 'channels':
      return (
        <Step
          {...common}
          key={shown}
          title={pt.onboarding.channels.title}
          text={pt.onboarding.channels.text}
          next={{ label: pt.onboarding.next, onClick: () => go('notifications') }}
          onBack={() => setShown('interests')}
        >
          <SuggestedChannels categoryIds={interests} />
        </Step>
      )
    case 'notifications':
      return (
        <Step
          {...common}
          key={shown}
          {...pt.onboarding.notifications}
          next={{ label: pt.onboarding.finish, onClick: () => go('done') }}
          onBack={() => setShown('channels')}
        >
          <PushPanel />
        </Step>
      )
  }
}
