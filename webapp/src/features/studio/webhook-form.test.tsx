import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { WebhookForm } from './WebhookForm'

it.each([
  ['Um programa que fala com o Slack', { name: 'Um programa que fala com o Slack', sender: 'slack' }],
  ['Gitea, Forgejo', { name: 'Gitea, Forgejo', sender: 'gitea' }],
])('leaves to the server how %s proves who it is', async (label, webhook) => {
  const user = userEvent.setup()
  const onSave = vi.fn()
  render(
    <MantineProvider env="test">
      <WebhookForm pending={false} onSave={onSave} onDone={vi.fn()} />
    </MantineProvider>,
  )
  await user.selectOptions(screen.getByRole('combobox', { name: 'Quem envia' }), label)
  await user.click(screen.getByRole('button', { name: 'Juntar um programa' }))
  expect(onSave).toHaveBeenCalledWith(webhook)
})
