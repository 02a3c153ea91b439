/** The onboarding's steps in order. */
export const steps = ['interests', 'channels', 'notifications'] as const
export type StepName = (typeof steps)[number]

export const isStep = (name: unknown): name is StepName => steps.includes(name as StepName)
