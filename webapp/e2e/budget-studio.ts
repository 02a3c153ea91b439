import type { Page } from '@playwright/test'
import { begun } from './screens/data/studio.ts'
import { sizes } from './screens.ts'
import { answersOf, click, judgeAnswers, painted, type } from './support/answers.ts'
import type { Sininho } from './support/sininho.ts'
import { test } from './support/test.ts'

/** Measures in a slowed browser how soon presses in the studio are answered; run by `make web-budget`. */

for (const [size, viewport] of Object.entries({ phone: sizes.phone, desktop: sizes.desktop }))
  test(`answers of the studio, ${size}`, async ({ page, sininho, signIn }) => {
    await page.setViewportSize(viewport)
    await signIn(page)
    const path = await fillStudio(page, sininho)
    judgeAnswers(
      `studio, ${size}`,
      await answersOf(page, [
        ['/new', useBeginning],
        [`${path}/write`, useComposer],
        [path, useStudio],
        [`${path}/edit`, useEditing],
        [`${path}/numbers`, useNumbers],
        [`${path}/month`, useMonth],
        [`${path}/webhooks`, useWebhooks],
      ]),
    )
  })

/** Makes a channel of the page's person with templates, a hundred published notifications and one that is scheduled. */
async function fillStudio(page: Page, sininho: Sininho): Promise<string> {
  const path = await begun(page, sininho)
  const data = { notifications: Array.from({ length: 100 }, (_, index) => ({ title: `Aviso ${index}` })) }
  await page.request.post(`/api/v1${path.replace('/studio', '/channels')}/notifications/batch`, { data })
  return path
}

async function useBeginning(page: Page) {
  await type(page, page.getByRole('textbox', { name: 'Nome do canal' }), 'Avisos aos pais')
  await click(page.getByRole('button', { name: 'Mudar o endereço' }))
  await painted(page)
  await click(page.getByRole('radio', { name: 'Só quem for convidado' }))
  await click(page.getByRole('button', { name: 'Criar canal' }))
  await page.getByText('Escolha uma categoria.').waitFor()
}

async function useComposer(page: Page) {
  await click(page.getByRole('button', { name: 'Não há ensaio' }))
  await type(page, page.getByRole('dialog').getByRole('textbox', { name: 'dia' }), 'sexta')
  await page.keyboard.press('Escape')
  await type(page, page.getByRole('textbox', { name: 'O que quer dizer?' }), 'Falta a água na Rua Direita')
  for (const option of ['Ligação', 'Publicar mais tarde', 'Válida até', 'Imagem']) {
    await click(page.getByRole('button', { name: option, exact: true }))
    await painted(page)
  }
  await type(page, page.getByLabel('Ligação', { exact: true }), 'www.example.com')
  await click(page.getByRole('button', { name: 'Tirar: Publicar mais tarde' }))
  await click(page.getByRole('button', { name: 'Tirar: Válida até' }))
  await click(page.getByRole('switch', { name: /^Importante/ }))
  await click(page.getByRole('button', { name: 'Mais opções' }))
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await click(page.getByRole('button', { name: 'Publicar', exact: true }))
  await page.getByText(/^Sai dentro de/).waitFor()
}

async function useStudio(page: Page) {
  const rows = page.getByRole('button', { name: /^Aviso/ })
  await rows.first().waitFor()
  for (const index of [0, 2, 5, 0]) {
    await click(rows.nth(index))
    await painted(page)
  }
  await click(page.getByRole('button', { name: 'Retirar' }))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }))
  await click(page.getByRole('link', { name: 'Ver o mês' }))
  await page.getByRole('table').waitFor()
}

async function useEditing(page: Page) {
  await type(page, page.getByRole('textbox', { name: 'Descrição' }), 'Ensaios e saídas')
  await click(page.getByRole('radio', { name: 'Quem tem o endereço' }))
  await click(page.getByRole('form', { name: 'O canal' }).getByRole('button', { name: 'Guardar' }))
  await page.getByText('Canal guardado.').waitFor()
  await click(page.getByRole('button', { name: 'Conservação' }))
  await painted(page)
}

async function useNumbers(page: Page) {
  await click(page.getByRole('figure', { name: 'Envios por dia' }).getByText('Ver os números'))
  await painted(page)
}

async function useMonth(page: Page) {
  for (const turn of ['Mês anterior', 'Mês seguinte', 'Mês seguinte', 'Mês anterior']) {
    await click(page.getByRole('button', { name: turn }))
    await painted(page)
  }
  await click(page.getByRole('table').getByRole('button').first())
  await painted(page)
}

async function useWebhooks(page: Page) {
  await click(page.getByRole('button', { name: 'Juntar um programa' }))
  await type(page, page.getByRole('textbox', { name: 'Nome' }), 'Portão')
  await click(page.getByRole('form').getByRole('button', { name: 'Juntar um programa' }))
  await page.getByRole('button', { name: 'Já o guardei' }).waitFor()
  await click(page.getByRole('button', { name: 'Para quem automatiza' }))
  for (const tab of ['Go', 'Linha de comandos', 'curl']) {
    await click(page.getByRole('tab', { name: tab }))
    await painted(page)
  }
}
