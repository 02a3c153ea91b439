import { Flex, type FlexProps } from '@mantine/core'
import { type ComponentProps, useEffect, useRef } from 'react'

type Props = Omit<FlexProps, 'ref'> &
  Pick<ComponentProps<'form'>, 'children' | 'aria-label' | 'noValidate'> & {
    onSubmit: () => void
    /** What is wrong, by field, when it was sent. The first faulty field gets the focus. */
    faults?: object
  }

/** A form that says itself what is wrong, instead of the browser. */
export function Form({ onSubmit, faults = {}, ...look }: Props) {
  const form = useRef<HTMLFormElement & HTMLDivElement>(null)
  const wrong = Object.keys(faults).join()
  useEffect(() => {
    if (wrong) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [wrong])
  return (
    <Flex
      component="form"
      ref={form}
      direction="column"
      gap={16}
      noValidate
      {...look}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}
