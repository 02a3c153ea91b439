import { expect, it } from 'vitest'
import { csvOf } from './csv'

it('quotes what has a comma, a quote or a line break', () => {
  expect(
    csvOf([
      ['dia', 'causa, por extenso'],
      ['diz "olá"', 'a\nb'],
      [1, -2],
    ]),
  ).toBe('\uFEFFdia,"causa, por extenso"\r\n"diz ""olá""","a\nb"\r\n1,-2\r\n')
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('makes a text of %j', (formula) => {
  expect(csvOf([[formula]]).replace('\uFEFF', '')).toMatch(/^"?'/)
})
