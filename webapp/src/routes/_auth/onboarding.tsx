import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { onboardingQuery } from '../../data/onboarding'
import { usePush } from '../../data/usePush'
import { SuggestedChannels } from '../../features/channels/SuggestedChannels'
import { Interests } from '../../features/onboarding/Interests'
import { Promises } from '../../features/onboarding/Promises'
import { Step } from '../../features/onboarding/Step'
import { saveOnboardingMutation } from '../../features/onboarding/mutations'
import { type StepName, isStep, steps } from '../../features/onboarding/step'
import { PushPreview } from '../../features/push/PushPreview'
import { enablePushMutation } from '../../data/enable-push'
import { onboarding } from '../../i18n/onboarding'
import { push } from '../../i18n/push'
import { safePath } from '../../lib/paths'
import { pushSupport } from '../../lib/push/support'

/** `step` is in the URL so that the browser's back button leads to the previous step. */
type Search = { step?: StepName; redirect?: string }

export const Route = createFileRoute('/_auth/onboarding')({
  staticData: { plain: true, guided: true },
  validateSearch: ({ step, redirect }: Record<string, unknown>): Search => ({
    step: isStep(step) ? step : undefined,
    redirect: typeof redirect === 'string' ? safePath(redirect, '/feed') : undefined,
  }),
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(onboardingQuery()),
  component: Onboarding,
})

function Onboarding() {
  const { data: saved } = useSuspenseQuery(onboardingQuery())
  const { step: asked, redirect } = Route.useSearch()
  const navigate = Route.useNavigate()
  const save = useMutation(saveOnboardingMutation())
  const [interests, setInterests] = useState(saved.categoryIds)
  const [resumed] = useState(saved.step === 'done' ? 'interests' : saved.step)
  const step = asked ?? resumed

  const show = (next: StepName) => void navigate({ search: (before) => ({ ...before, step: next }) })
  const go = (next: StepName | 'done') =>
    save.mutate(
      { step: next, categoryIds: interests },
      { onSuccess: () => (next === 'done' ? void navigate({ href: redirect ?? '/feed' }) : show(next)) },
    )
  const at = steps.indexOf(step)
  const before = steps[at - 1]
  const common = {
    step,
    saving: save.isPending,
    onNext: () => go(steps[at + 1] ?? 'done'),
    onBack: before && (() => show(before)),
    onSkip: () => go('done'),
  }
  switch (step) {
    case 'interests':
      return (
        <Step key={step} {...common} text={onboarding.interests.text} quiet={interests.length === 0}>
          <Interests chosen={interests} onChange={setInterests} />
        </Step>
      )
    case 'channels':
      return (
        <Step key={step} {...common} text={onboarding.channels.text}>
          <SuggestedChannels categoryIds={interests} />
        </Step>
      )
    case 'notifications':
      return <Notifications key={step} {...common} />
  }
}

function Notifications(props: Omit<Parameters<typeof Step>[0], 'text' | 'children' | 'quiet' | 'action'>) {
  const { state } = usePush()
  const enable = useMutation(enablePushMutation())
  const { ask, later, enable: label } = onboarding.notifications
  const action = { label, pending: enable.isPending, onClick: () => enable.mutate() }
  return (
    <Step
      {...props}
      text={state === 'on' ? push.enabled : pushSupport() === 'undecided' ? ask : later}
      action={state === 'off' ? action : undefined}
    >
      <PushPreview error={enable.error} />
      {state === 'off' && <Promises />}
    </Step>
  )
}
