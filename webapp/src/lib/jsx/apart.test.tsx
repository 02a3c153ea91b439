import { render, screen } from '@testing-library/react'
import { type ReactNode, Suspense } from 'react'
import { describe, expect, it } from 'vitest'

/** Does what translators of browsers do. */
function translate(element: Element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    const font = document.createElement('font')
    font.textContent = text.data
    text.replaceWith(font)
  }
}

const Label = ({ children }: { children: ReactNode }) => <b>{children}</b>

/** Texts in every place in which something may come before or after them. */
const Texts = ({ count, more }: { count: number; more?: boolean }) => (
  <main>
    <p>
      {more && <i>+</i>} {count} de {10 * count}
    </p>
    <p>
      {more ? 'mais' : <i>menos</i>}
      {more && ' ainda'}
    </p>
    <p>{count}</p>
    <Label>
      {count} {more && <i>!</i>}
    </Label>
    <p>
      <>{more && 'mais'}</>
      <>{`${count} vezes`}</>
      {[count, more && <i key="more">?</i>]}
    </p>
    <p>
      {more && <i>+</i>}
      <Suspense fallback="nada">{`${count} vezes`}</Suspense>
    </p>
    <select aria-label="Quantos" defaultValue="a">
      <option value="a">
        {count} de {count}
      </option>
    </select>
  </main>
)

const text = () => screen.getByRole('main').textContent
const shown = (count: number, more = false) => {
  const { container, unmount } = render(<Texts count={count} more={more} />)
  const { textContent } = container
  unmount()
  return textContent
}

describe('a page that is translated', () => {
  it.each([
    [1, false, 2, false],
    [1, false, 1, true],
    [1, true, 1, false],
    [1, true, 2, false],
  ])('shows what changes: %i, %s to %i, %s', (count, more, then, moreThen) => {
    const want = shown(then, moreThen)
    const { rerender } = render(<Texts count={count} more={more} />)
    translate(document.body)
    rerender(<Texts count={then} more={moreThen} />)
    expect(text()).toBe(want)
  })
})

it('texts that follow each other are one, and those alone in an element stay as they are', () => {
  render(
    <main>
      {1} de {2}
      <b>{3}</b>
    </main>,
  )
  expect(screen.getByRole('main').innerHTML).toBe('<span>1 de 2</span><b>3</b>')
})
