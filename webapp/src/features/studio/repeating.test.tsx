import type { Plan } from '@sininho/sdk'
import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { channel, subscriber, template } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, problem, record, server, state } from '../../testing/server'

const metro = channel()
const studio = '/studio/metro/linhas'
const templates = '/channels/metro/linhas/templates'
const plan: Plan = { makes: 'notification', weekdays: ['friday'], time: '17:00', timezone: 'Europe/Lisbon' }

beforeEach(() => {
  state.subscriber = subscriber()
  state.channels = [metro]
  state.publishers = [
    { ...metro.publisher, description: '', channelCount: 1, role: 'owner', createdAt: metro.createdAt },
  ]
})

it('has what is written repeat, once all is said', async () => {
  let taken = true
  server.use(
    http.post(at(templates), async ({ request }) => {
      await record(request)
      if (taken) return problem(409, 'Já existe.', 'name_taken')
      const made = { ...template('Ementa', { title: 'Ementa da semana' }), plan, nextAt: '2099-12-25T17:00:00Z' }
      state.templates = [made]
      return HttpResponse.json(made, { status: 201 })
    }),
  )
  const { user } = renderApp(`${studio}/write`)
  await user.click(await screen.findByRole('textbox', { name: 'O que quer dizer?' }))
  await user.paste('Ementa da semana')
  await user.click(screen.getByRole('button', { name: 'Ligação' }))
  await user.paste('www.escola.pt')
  await user.click(screen.getByRole('button', { name: 'Mais opções' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Repetir' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Repetir' }))
  await user.click(dialog.getByRole('button', { name: 'Guardar' }))
  expect(dialog.getByText('Escolha pelo menos um dia.')).toBeInTheDocument()
  expect(dialog.getByText('Escolha a hora.')).toBeInTheDocument()
  await user.click(dialog.getByRole('checkbox', { name: 'sexta-feira' }))
  await user.type(dialog.getByLabelText('Hora'), '17:00')
  await user.click(dialog.getByRole('button', { name: 'Guardar' }))
  expect(await dialog.findByText('Já há um modelo com este nome.')).toBeInTheDocument()
  taken = false
  await user.clear(dialog.getByRole('textbox', { name: 'Nome' }))
  await user.type(dialog.getByRole('textbox', { name: 'Nome' }), 'Ementa')
  await user.click(dialog.getByRole('button', { name: 'Guardar' }))
  const section = within(await screen.findByRole('region', { name: 'O que se repete' }))
  expect(section.getByText('Às sextas, às 17:00')).toBeInTheDocument()
  const sent = actions.filter(({ call }) => call === `POST ${templates}`)
  expect(sent.at(-1)!.body).toEqual({
    name: 'Ementa',
    content: { title: 'Ementa da semana', link: 'https://www.escola.pt' },
    plan: { ...plan, timezone: expect.any(String) },
  })
})

it('only prepares drafts of what asks for something each time, and offers nothing without a text', async () => {
  const { user } = renderApp(`${studio}/write`)
  await user.click(await screen.findByRole('textbox', { name: 'O que quer dizer?' }))
  expect(screen.queryByRole('button', { name: 'Mais opções' })).not.toBeInTheDocument()
  await user.paste('Ementa: {{ sopa }}')
  await user.click(screen.getByRole('button', { name: 'Mais opções' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Repetir' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Repetir' }))
  expect(dialog.getByRole('radio', { name: 'Publicar' })).toBeDisabled()
  expect(dialog.getByRole('radio', { name: 'Preparar um rascunho' })).toBeChecked()
})

it('changes, skips and ends what repeats', async () => {
  const weekly = { ...template('Ementa', { title: 'Ementa' }), plan, nextAt: '2099-12-25T17:00:00Z' }
  const over = { ...template('Férias', { title: 'Boas férias' }), plan, missedAt: '2026-11-27T17:00:00Z' }
  state.templates = [over, weekly]
  server.use(
    http.patch(at(`${templates}/:id`), async ({ request }) => {
      await record(request)
      return HttpResponse.json(weekly)
    }),
  )
  const { user } = renderApp(studio)
  const section = within(await screen.findByRole('region', { name: 'O que se repete' }))
  const rows = section.getAllByRole('listitem')
  expect(rows[0]).toHaveTextContent(/Ementa.*A seguir: 25\/12\/2099/)
  expect(rows[1]).toHaveTextContent(/Já acabou.*Não saiu/)
  const choose = async (item: string) => {
    await user.click(section.getByRole('button', { name: 'Opções de «Ementa»' }))
    await user.click(await screen.findByRole('menuitem', { name: item }))
  }
  await choose('Saltar a próxima')
  await choose('Deixar de repetir')
  await choose('Mudar quando se repete')
  const dialog = within(await screen.findByRole('dialog', { name: 'Mudar quando se repete' }))
  await user.click(dialog.getByRole('radio', { name: 'No mês' }))
  await user.type(dialog.getByRole('textbox', { name: 'Dias do mês' }), '1, 15')
  await user.click(dialog.getByRole('button', { name: 'Guardar' }))
  await waitFor(() =>
    expect(actions.filter(({ call }) => call.startsWith(`PATCH ${templates}/`)).map(({ body }) => body)).toEqual([
      { plan: { ...plan, startsAt: '2099-12-25T17:00:01.000Z' } },
      { plan: null },
      { plan: { makes: 'notification', monthDays: [1, 15], time: '17:00', timezone: 'Europe/Lisbon' } },
    ]),
  )
})
