import { act, screen, waitFor, within } from '@testing-library/react'
import type { DraftContent } from '@sininho/sdk'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { channel, draft, notification, subscriber } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, server, state } from '../../testing/server'

const metro = channel()
const studio = '/studio/metro/linhas'
const drafts = '/channels/metro/linhas/drafts'

beforeEach(() => {
  state.subscriber = subscriber()
  state.channels = [metro]
  state.publishers = [
    { ...metro.publisher, description: '', channelCount: 1, role: 'owner', createdAt: metro.createdAt },
  ]
  server.use(
    http.post(at('/channels/metro/linhas/notifications'), () => Response.json(notification(), { status: 201 })),
  )
})

const calls = () => actions.map(({ call }) => call)
const contents = () => state.drafts.map(({ content }) => content)
const field = () => screen.findByRole('textbox', { name: 'O que quer dizer?' })

/** Saves a draft as the server does, once for each key, and only what has not changed. */
async function handled(request: Request) {
  const { content } = (await request.json()) as { content: DraftContent }
  const [key, version] = [request.headers.get('Idempotency-Key'), request.headers.get('If-Match')]
  if (key) {
    if (!keys.has(key)) state.drafts.push(draft(content))
    keys.add(key)
  } else {
    if (version !== `"${state.drafts[0]!.updatedAt}"`) return problem(412)
    state.drafts = [draft(content, state.drafts[0]!.id)]
  }
  return HttpResponse.json(state.drafts[0], { headers: { ETag: `"${state.drafts[0]!.updatedAt}"` } })
}
const keys = new Set<string>()

/** What a browser does before a page may end. */
function hide() {
  act(() => void window.dispatchEvent(new Event('pagehide')))
}

describe('what somebody writes', () => {
  it('is saved a moment later, and again when the page is left', async () => {
    const { user, history } = renderApp(`${studio}/write`)
    await user.type(await field(), 'Greve na sexta')
    expect(await screen.findByText('Guardado', undefined, { timeout: 5000 })).toBeInTheDocument()
    expect(contents()).toEqual([{ title: 'Greve na sexta' }])
    expect(history.location.search).toBe(`?draft=${state.drafts[0]!.id}`)
    expect(await field()).toHaveFocus()
    await user.type(await field(), ' 13')
    hide()
    await waitFor(() => expect(contents()).toEqual([{ title: 'Greve na sexta 13' }]))
    expect(calls()).toEqual([`POST ${drafts}`, `PATCH ${drafts}/${state.drafts[0]!.id}`])
  })

  it('is deleted once it is published, and once nothing is left of it', async () => {
    state.drafts = [draft({ title: 'Um' })]
    const { user } = renderApp(`${studio}/write?draft=${state.drafts[0]!.id}`)
    await user.clear(await field())
    hide()
    await waitFor(() => expect(state.drafts).toEqual([]))
    await user.type(await field(), 'Dois')
    hide()
    await waitFor(() => expect(contents()).toEqual([{ title: 'Dois' }]))
    await user.click(screen.getByRole('button', { name: 'Publicar' }))
    await waitFor(() => expect(state.drafts).toEqual([]))
  })

  it('is kept apart from what was written on another device meanwhile', async () => {
    state.drafts = [draft({ title: 'Um' })]
    const { id } = state.drafts[0]!
    const { user } = renderApp(`${studio}/write?draft=${id}`)
    await user.type(await field(), ' e meio')
    state.drafts = [draft({ title: 'Noutro telemóvel' }, id)]
    hide()
    expect(await screen.findByText(/mudou noutro dispositivo/)).toBeInTheDocument()
    expect(contents()).toEqual([{ title: 'Um e meio' }, { title: 'Noutro telemóvel' }])
  })

  it('says plainly that it is not saved, and is when the connection is back', async () => {
    server.use(http.post(at(drafts), () => problem(422, 'Já tem 50 rascunhos no canal.'), { once: true }))
    const { user } = renderApp(`${studio}/write`)
    await user.type(await field(), 'Olá')
    hide()
    expect(await screen.findByRole('alert')).toHaveTextContent('Não está guardado. Já tem 50 rascunhos no canal.')
    act(() => void window.dispatchEvent(new Event('online')))
    expect(await screen.findByText('Guardado')).toBeInTheDocument()
    expect(contents()).toEqual([{ title: 'Olá' }])
  })

  it('is one draft even if responses are lost', async () => {
    let lost = 0
    const lose = async ({ request }: { request: Request }) => {
      const passed = await handled(request)
      return lost++ < 1 ? HttpResponse.error() : passed
    }
    server.use(http.post(at(drafts), lose))
    const { user } = renderApp(`${studio}/write`)
    await user.type(await field(), 'Um')
    hide()
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Não está guardado\./)
    await user.type(await field(), ' e meio')
    hide()
    expect(await screen.findByText('Guardado')).toBeInTheDocument()
    expect(contents()).toEqual([{ title: 'Um e meio' }])
    lost = 0
    server.use(http.patch(at(`${drafts}/${state.drafts[0]!.id}`), lose))
    await user.type(await field(), '?')
    hide()
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Não está guardado\./)
    await user.type(await field(), '!')
    hide()
    expect(await screen.findByText('Guardado')).toBeInTheDocument()
    expect(contents()).toEqual([{ title: 'Um e meio?!' }])
  })

  it('keeps what a program has added to it', async () => {
    state.drafts = [draft({ title: 'Um', data: { turma: '7B' } })]
    const { user } = renderApp(`${studio}/write?draft=${state.drafts[0]!.id}`)
    await user.type(await field(), ' e meio')
    hide()
    await waitFor(() => expect(contents()).toEqual([{ title: 'Um e meio', data: { turma: '7B' } }]))
  })
})

describe('the page of a channel', () => {
  it('has the drafts to go on with', async () => {
    state.drafts = [draft({ title: 'Greve', body: 'Na sexta.' })]
    const { user } = renderApp(studio)
    const list = await screen.findByRole('region', { name: 'Rascunhos' })
    expect(within(list).getByText('Greve')).toBeVisible()
    expect(within(list).getByText('Na sexta.')).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Continuar' }))
    expect(await field()).toHaveValue('Greve\nNa sexta.')
  })

  it('deletes one', async () => {
    state.drafts = [draft({ body: 'Na sexta.' })]
    const { user } = renderApp(studio)
    await user.click(await screen.findByRole('button', { name: 'Apagar' }))
    await user.click(screen.getAllByRole('button', { name: 'Apagar' }).at(-1)!)
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Rascunhos' })).not.toBeInTheDocument())
    expect(state.drafts).toEqual([])
  })
})
