import { ApiError } from '@sininho/sdk'
import { expect, it } from 'vitest'
import { type Beginnings, beginningOf, faultsIn, serverFaults } from './beginning'

const fields: Beginnings = {
  publisher: '',
  publisherName: 'Escola de Alvito',
  name: 'Avisos aos pais',
  category: 'c',
  visibility: 'private',
}
const escola = {
  id: 'p',
  slug: 'escola-de-alvito',
  name: 'Escola de Alvito',
  description: '',
  channelCount: 0,
  createdAt: '',
}
const refused = (status: number, pointer?: string) =>
  new ApiError(status, { errors: pointer ? [{ pointer, code: 'reserved', detail: 'é reservado' }] : [] })

it('makes the addresses of the names, and a publisher for whoever has none', () => {
  const begun = beginningOf(fields, [])
  expect(begun.publisher).toEqual({ slug: 'escola-de-alvito', name: 'Escola de Alvito' })
  expect(begun.channel).toMatchObject({
    publisherSlug: 'escola-de-alvito',
    slug: 'avisos-aos-pais',
    visibility: 'private',
  })
  expect(beginningOf(fields, [escola]).publisher).toBeUndefined()
  expect(faultsIn(fields, [])).toEqual({})
  expect(Object.keys(faultsIn({ ...fields, publisherName: '!', name: ' ', category: '' }, []))).toEqual([
    'publisherName',
    'name',
    'slug',
    'category',
  ])
})

it('says at the field what the server has refused, of the publisher first', () => {
  const both = beginningOf(fields, [])
  const channel = beginningOf(fields, [escola])
  expect(Object.keys(serverFaults(refused(409), both, both))).toEqual(['publisherName'])
  expect(serverFaults(refused(422, '#/name'), both, both)).toEqual({ publisherName: 'É reservado.' })
  expect(Object.keys(serverFaults(refused(409), both, channel))).toEqual(['slug'])
  expect(serverFaults(refused(422, '#/name'), both, channel)).toEqual({ name: 'É reservado.' })
  expect(serverFaults(refused(409), both, beginningOf({ ...fields, slug: 'outro' }, [escola]))).toEqual({})
})
