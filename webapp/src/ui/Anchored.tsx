import { type Ref, type RefObject, useImperativeHandle } from 'react'

/** Stands for an element that is rendered elsewhere, so that Mantine's menus and popovers open beside that. */
export function Anchored({ of, ref }: { of: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => of.current!)
  return null
}
