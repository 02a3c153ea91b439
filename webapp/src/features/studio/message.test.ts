import { describe, expect, it } from 'vitest'
import { notification } from '../../testing/factories'
import { faultsIn } from './faults'
import { emptyMessage, inputOf, messageOf, patchOf } from './message'

const message = { ...emptyMessage, text: 'Um título\nE um texto.' }

describe('what is sent of a message', () => {
  it('is what was filled in', () => {
    expect(inputOf(message)).toEqual({ title: 'Um título', body: 'E um texto.' })
    const scheduledAt = '2027-05-20T08:00'
    expect(inputOf({ ...message, link: ' www.escola.pt ', important: true, scheduledAt })).toEqual({
      title: 'Um título',
      body: 'E um texto.',
      link: 'https://www.escola.pt',
      importance: 'important',
      scheduledAt: new Date(scheduledAt).toISOString(),
    })
    expect(inputOf({ ...message, link: 'mailto:ana@escola.pt' }).link).toBe('mailto:ana@escola.pt')
  })

  it('is of a correction only what has changed, or was removed', () => {
    const expiresAt = '2027-05-20T08:00:30Z'
    const sent = notification({ title: 'Um título', body: 'Um texto.', link: 'https://www.escola.pt/', expiresAt })
    expect(patchOf(messageOf(sent), sent)).toEqual({ title: 'Um título' })
    const changed = { ...messageOf(sent), text: 'Outro título', link: '', important: true }
    expect(patchOf(changed, sent)).toEqual({ title: 'Outro título', body: '', link: null, importance: 'important' })
    const scheduled = notification({ title: 'Um título', publishedAt: undefined, scheduledAt: expiresAt })
    expect(Object.keys(patchOf({ ...messageOf(scheduled), scheduledAt: '2027-05-21T08:00' }, scheduled))).toContain(
      'scheduledAt',
    )
  })

  it('is what a notification has', () => {
    const sent = notification({ title: 'Um título', body: 'E um texto.', link: 'https://www.escola.pt/' })
    expect(inputOf(messageOf(sent))).toEqual({ title: sent.title, body: sent.body, link: sent.link })
  })
})

describe('what is wrong with a message', () => {
  const now = new Date('2026-11-30T12:00')

  it('is said by field', () => {
    expect(faultsIn(message, now)).toEqual({})
    expect(faultsIn(emptyMessage, now)).toEqual({ text: 'Escreva alguma coisa.' })
    const wrong = { ...message, link: 'java script:', image: 'javascript:alert(1)', expiresAt: '2026-11-30T11:59' }
    expect(Object.keys(faultsIn(wrong, now))).toEqual(['link', 'image', 'expiresAt'])
    expect(faultsIn({ ...message, scheduledAt: 'amanhã' }, now)).toEqual({ scheduledAt: 'Escolha um dia e uma hora.' })
  })
})
