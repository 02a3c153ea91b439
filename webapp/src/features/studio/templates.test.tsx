import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { channel, subscriber, template } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, record, server, state } from '../../testing/server'

const metro = channel()
const studio = '/studio/metro/linhas'
const templates = '/channels/metro/linhas/templates'

beforeEach(() => {
  state.subscriber = subscriber()
  state.channels = [metro]
  state.publishers = [
    { ...metro.publisher, description: '', channelCount: 1, role: 'owner', createdAt: metro.createdAt },
  ]
})

it('asks for the fields of a template, and puts them into the text', async () => {
  const content = { title: 'Falta a água na {{ rua }}', body: 'Das {{das}} às 12.', link: 'www.{{rua}}.pt' }
  state.templates = [template('Falta a água', content, ['rua', 'das'])]
  const { user } = renderApp(`${studio}/write`)
  await user.click(await screen.findByRole('button', { name: 'Falta a água' }))
  const dialog = await screen.findByRole('dialog', { name: 'Falta a água' })
  await user.type(within(dialog).getByRole('textbox', { name: 'rua' }), 'Rua Direita')
  await user.click(within(dialog).getByRole('button', { name: 'Usar' }))
  expect(within(dialog).getByRole('textbox', { name: 'das' })).toHaveFocus()
  await user.type(within(dialog).getByRole('textbox', { name: 'das' }), '9')
  await user.click(within(dialog).getByRole('button', { name: 'Usar' }))
  expect(await screen.findByRole('textbox', { name: 'O que quer dizer?' })).toHaveValue(
    'Falta a água na Rua Direita\nDas 9 às 12.',
  )
  expect(screen.getByRole('textbox', { name: 'Ligação' })).toHaveValue('www.Rua Direita.pt')
  expect(screen.queryByRole('group', { name: 'Modelos' })).not.toBeInTheDocument()
})

it('saves what is written as a template, unless its name is taken', async () => {
  server.use(
    http.post(at(templates), async ({ request }) => {
      await record(request)
      const { name, content } = (await request.json()) as { name: string; content: object }
      if (name === 'Escola fechada') return problem(409, 'Já existe.', 'name_taken')
      return HttpResponse.json(template(name, content), { status: 201 })
    }),
  )
  const { user } = renderApp(`${studio}/write`)
  await user.type(await screen.findByRole('textbox', { name: 'O que quer dizer?' }), 'Escola fechada')
  await user.click(screen.getByRole('button', { name: 'Mais opções' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Guardar como modelo' }))
  const name = await screen.findByRole('textbox', { name: /Nome do modelo/ })
  expect(name).toHaveValue('Escola fechada')
  await user.click(screen.getByRole('button', { name: 'Guardar' }))
  await waitFor(() => expect(name).toHaveAccessibleDescription(/Já há um modelo com este nome\./))
  await user.type(name, ' hoje')
  await user.click(screen.getByRole('button', { name: 'Guardar' }))
  await waitFor(() => expect(name).not.toBeInTheDocument())
  const sent = actions.filter(({ call }) => call === `POST ${templates}`)
  expect(sent.at(-1)!.body).toEqual({ name: 'Escola fechada hoje', content: { title: 'Escola fechada' } })
})

it('renames and deletes templates', async () => {
  const { id } = (state.templates = [template('Água', { title: 'Falta a água' }, ['rua'])])[0]!
  server.use(
    http.patch(at(`${templates}/${id}`), async ({ request }) => {
      await record(request)
      const { name } = (await request.json()) as { name: string }
      state.templates = [{ ...state.templates[0]!, name }]
      return HttpResponse.json(state.templates[0])
    }),
    http.delete(at(`${templates}/${id}`), () => {
      state.templates = []
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { user } = renderApp(studio)
  expect(await screen.findByRole('region', { name: 'Modelos' })).toHaveTextContent('Pergunta: rua')
  await user.click(screen.getByRole('button', { name: 'Opções de «Água»' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Mudar o nome' }))
  const name = await screen.findByRole('textbox', { name: /Nome do modelo/ })
  await user.clear(name)
  await user.click(screen.getByRole('button', { name: 'Guardar' }))
  expect(name).toHaveAccessibleDescription(/Escreva um nome\./)
  await user.type(name, 'Falta a água')
  await user.click(screen.getByRole('button', { name: 'Guardar' }))
  await user.click(await screen.findByRole('button', { name: 'Opções de «Falta a água»' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Apagar' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Apagar' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Modelos' })).not.toBeInTheDocument())
})
