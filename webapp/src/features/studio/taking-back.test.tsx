import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { channel, notification, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, record, server, state } from '../../testing/server'

const metro = channel()
const studio = '/studio/metro/linhas'
const list = '/channels/metro/linhas/notifications'
const leaving = notification({
  title: 'Engano',
  body: 'Não era isto.',
  publishedAt: undefined,
  scheduledAt: new Date(Date.now() + 9000).toISOString(),
})
const one = `${list}/${leaving.id}`

/** What is scheduled until it is deleted. */
let scheduled = [leaving]

beforeEach(() => {
  state.subscriber = subscriber()
  state.channels = [metro]
  state.publishers = [
    { ...metro.publisher, description: '', channelCount: 1, role: 'owner', createdAt: metro.createdAt },
  ]
  scheduled = [leaving]
  server.use(
    http.get(at(list), ({ request }) => {
      const data = new URL(request.url).searchParams.get('scheduled') === 'true' ? scheduled : []
      return HttpResponse.json({ data, meta: { total: data.length } })
    }),
    http.patch(at(one), async ({ request }) => {
      await record(request)
      return HttpResponse.json(leaving)
    }),
    http.delete(at(one), async ({ request }) => {
      await record(request)
      scheduled = []
      return new HttpResponse(null, { status: 204 })
    }),
  )
})

const takeBack = async () => {
  const { user } = renderApp(studio)
  await user.click(await screen.findByRole('button', { name: 'Anular «Engano»' }))
}
const calls = () => actions.map(({ call }) => call)

describe('what was just published', () => {
  it('is put off and withdrawn, and its text is there again, as a draft', async () => {
    await takeBack()
    expect(await screen.findByRole('textbox', { name: 'O que quer dizer?' })).toHaveValue('Engano\nNão era isto.')
    expect(await screen.findByText('Não foi enviada a ninguém. O texto está aqui.')).toBeInTheDocument()
    expect(calls()).toEqual([`PATCH ${one}`, 'POST /channels/metro/linhas/drafts', `DELETE ${one}`])
    expect(state.drafts.map(({ content }) => content)).toEqual([{ title: 'Engano', body: 'Não era isto.' }])
  })

  it('stays if it has left meanwhile, and that is said', async () => {
    server.use(
      http.patch(at(one), async ({ request }) => {
        await record(request)
        const errors = [{ pointer: '#/scheduledAt', code: 'published', detail: 'não pode mudar depois da publicação' }]
        return HttpResponse.json({ status: 422, title: '', code: 'invalid', errors }, { status: 422 })
      }),
    )
    await takeBack()
    expect(await screen.findByText('Já saiu. Ainda a pode retirar.')).toBeInTheDocument()
    expect(calls()).toEqual([`PATCH ${one}`])
  })
})

it('leaves by the clock of the server, whatever that of the device is', async () => {
  const time = new Date(Date.now() + 3_600_000)
  scheduled = []
  server.use(
    http.get(at('/auth'), () => {
      const caller = { caller: 'subscriber', subscriber: state.subscriber, signInMethods: [] }
      return HttpResponse.json(caller, { headers: { Date: time.toUTCString() } })
    }),
    http.post(at(list), async ({ request }) => {
      await record(request)
      return HttpResponse.json(leaving, { status: 201 })
    }),
  )
  const { user } = renderApp(`${studio}/write`)
  await user.type(await screen.findByRole('textbox', { name: 'O que quer dizer?' }), 'Olá')
  await user.click(screen.getByRole('button', { name: 'Publicar' }))
  await waitFor(() => expect(calls()).toEqual([`POST ${list}`]))
  const { scheduledAt } = actions[0]!.body as { scheduledAt: string }
  const ahead = new Date(scheduledAt).getTime() - time.getTime()
  expect(ahead).toBeGreaterThanOrEqual(10_000)
  expect(ahead).toBeLessThan(20_000)
})
