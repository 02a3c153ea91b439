import { expect, it } from 'vitest'
import { textOf, titleAndBody } from './text'

it('takes the first line as the title', () => {
  expect(titleAndBody('Falta a água\n\nDas 9 às 12.\nPor obras.')).toEqual({
    title: 'Falta a água',
    body: 'Das 9 às 12.\nPor obras.',
  })
  expect(titleAndBody('  Só um título \n')).toEqual({ title: 'Só um título', body: '' })
  expect(titleAndBody(' \n ')).toEqual({ title: '', body: '' })
})

it('keeps all of a first line that is too long for a title', () => {
  const long = `${'palavra '.repeat(30)}fim`
  const { title, body } = titleAndBody(`${long}\nE mais.`)
  expect([...title].length).toBeLessThanOrEqual(200)
  expect(title).toMatch(/^(palavra )+palavra…$/)
  expect(body).toBe(`${long}\nE mais.`)
  expect([...titleAndBody('🔔'.repeat(201)).title]).toHaveLength(200)
})

it('gives back what was written', () => {
  for (const text of ['Um título', 'Um título\nE um texto.', `${'palavra '.repeat(30)}fim\nE mais.`])
    expect(textOf(titleAndBody(text))).toBe(text)
})
