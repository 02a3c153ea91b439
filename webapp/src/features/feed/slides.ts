const duration = (milliseconds: number) => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : milliseconds)

/** Moves an element sideways from where it was dragged to. */
export async function slide(element: HTMLElement, x: number) {
  const transform = `translateX(${x}px)`
  await element.animate({ transform }, { duration: duration(140), easing: 'ease-out' }).finished
  element.style.transform = x === 0 ? '' : transform
}

/** Closes the gap that an element leaves. It stays closed until the animation is cancelled. */
export const collapse = (element: HTMLElement) =>
  element.animate(
    [
      { height: `${element.offsetHeight}px`, overflow: 'clip' },
      { height: 0, minHeight: 0, paddingBlock: 0, borderWidth: 0, overflow: 'clip' },
    ],
    { duration: duration(120), easing: 'ease-in-out', fill: 'forwards' },
  )
