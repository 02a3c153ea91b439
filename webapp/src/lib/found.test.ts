import { expect, it } from 'vitest'
import { excerpt, found } from './found'

const marked = (text: string, q: string) =>
  found(text, q)
    .map((piece) =>
      piece.found ? `[${piece.text.slice(0, piece.found)}]${piece.text.slice(piece.found)}` : piece.text,
    )
    .join('')

it('finds the beginnings of words, without accents and in any case', () => {
  expect(marked('A Linha azul: circulação.', 'linha CIRCULACAO')).toBe('A [Linha] azul: [circulação].')
  expect(marked('Linhas e alinhados', 'linha')).toBe('[Linha]s e alinhados')
  expect(marked('Nada. Nem isto!', '. !')).toBe('Nada. Nem isto!')
})

it('begins a long text shortly before the first match', () => {
  const text = `${'Um texto que não se procura. '.repeat(4)}Aqui está a estação que se procura.`
  expect(excerpt(text, 'estacao')).toBe('…se procura. Aqui está a estação que se procura.')
  expect(excerpt(text, 'texto')).toBe(text)
  expect(excerpt(text, 'nada')).toBe(text)
})
