import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import { signChallenge, verifyWebhook } from '@sininho/sdk'
import { issue as opened, ownProgram, studio } from './screens/data/studio.ts'
import { sizes } from './screens.ts'
import { bin } from './support/sininho.ts'
import { expect, test } from './support/test.ts'

test.use({ viewport: sizes.phone })

const run = promisify(execFile)

const issue = JSON.stringify(opened)

/** Confirms a question, in its own words. */
const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click()

const kept = async (place: Page | Locator, secret: RegExp) => {
  const shown = await place.getByText(secret).textContent()
  await place.getByRole('button', { name: /^Já o / }).click()
  return shown!
}

test('a webhook is arranged, what it gets is seen, previewed and sent again, and it is changed and deleted', async ({
  page,
  signIn,
  sininho,
}) => {
  await signIn(page)
  await page.goto(await studio(page, sininho))
  await page.getByRole('link', { name: 'Programas' }).click()
  await page.getByRole('button', { name: 'Juntar um programa' }).click()
  const form = page.getByRole('form', { name: 'Um programa' })
  // by mistake: GitHub sends no title of a notification
  await form.getByRole('combobox', { name: 'Quem envia' }).selectOption('Um programa seu')
  await form.getByRole('combobox', { name: 'Como prova que é ele' }).selectOption({ index: 1 })
  await form.getByRole('textbox', { name: 'Nome' }).fill('Repositório')
  await form.getByRole('button', { name: 'Juntar um programa' }).click()
  const secret = await kept(page, /^whsec_/)
  const address = page.getByRole('textbox', { name: 'Endereço de Repositório' })
  const post = async (to: string) => {
    const headers = {
      Authorization: `Bearer ${secret}`,
      'Content-Type': 'application/json',
      'X-GitHub-Event': 'issues',
    }
    return (await fetch(to, { method: 'POST', headers, body: issue })).status
  }
  expect(await post(await address.inputValue()), 'refused').toBe(422)

  const events = page.getByRole('region', { name: 'O que enviou' })
  await events.getByRole('button', { name: /recusado/ }).click()
  await expect(events.getByText('Não se conseguiu fazer disto uma notificação.')).toBeVisible()
  await expect(events.getByText('Não arranca')).toHaveCount(0)
  await events.getByRole('button', { name: 'O que chegou, tal e qual' }).click()
  await expect(events.getByRole('region', { name: 'O que chegou, tal e qual' })).toContainText('"title": "Não arranca"')

  await page.getByRole('button', { name: 'Mudar Repositório' }).click()
  await form.getByRole('combobox', { name: 'Quem envia' }).selectOption('GitHub')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await events.getByRole('button', { name: 'Como sairia agora' }).click()
  await expect(
    events
      .getByRole('region', { name: 'Como vai aparecer' })
      .getByText(/Não arranca/)
      .first(),
  ).toBeVisible()
  await events.getByRole('button', { name: /^Enviar de novo/ }).click()
  await expect(events.getByRole('button', { name: /publicado/ })).toBeVisible()
  await events.getByRole('link', { name: 'Ver a notificação' }).click()
  await expect(page.getByRole('button', { name: /Não arranca/, expanded: true })).toBeVisible()

  await page.goBack()
  await page.getByRole('button', { name: 'Experimentar sem publicar' }).click()
  const attempt = page.getByRole('form', { name: 'Uma experiência' })
  await attempt.getByRole('textbox', { name: 'Cole aqui o que o programa envia' }).fill(issue.slice(0, -1))
  await attempt.getByRole('button', { name: 'Ver como sairia' }).click()
  await expect(attempt.getByText(/^Falta alguma coisa/)).toBeVisible()
  await attempt.getByRole('textbox', { name: 'Cole aqui o que o programa envia' }).fill(issue)
  await attempt.getByRole('textbox', { name: 'Tipo de envio' }).fill('issues')
  await attempt.getByRole('button', { name: 'Ver como sairia' }).click()
  await expect(page.getByRole('region', { name: 'Como vai aparecer' }).last()).toContainText('Não arranca')

  await page.getByRole('button', { name: 'Trocar o segredo' }).click()
  await confirm(page, 'Trocar o segredo')
  expect(await kept(page, /^whsec_/)).not.toBe(secret)
  const old = await address.inputValue()
  await page.getByRole('button', { name: 'Trocar o endereço' }).click()
  await confirm(page, 'Trocar o endereço')
  await expect(address).not.toHaveValue(old)
  expect(await post(old)).toBe(404)
  await page.getByRole('button', { name: 'Apagar Repositório' }).click()
  await confirm(page, 'Apagar')
  await expect(page.getByText('Ainda nenhum programa publica aqui.')).toBeVisible()
})

test('the secret that a sender makes is given to its webhook', async ({ page, signIn, sininho }) => {
  await signIn(page)
  await page.goto(`${await studio(page, sininho)}/webhooks`)
  await page.getByRole('button', { name: 'Juntar um programa' }).click()
  await page.getByRole('combobox', { name: 'Quem envia' }).selectOption('Stripe')
  await page.getByRole('button', { name: 'Juntar um programa' }).click()
  const address = page.getByRole('textbox', { name: 'Endereço de Stripe' })
  await expect(address).toBeVisible()
  await expect(page.getByText(/^whsec_/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Dar o segredo' }).click()
  const secret = 'whsec_do-stripe-0123456789'
  await page.getByRole('textbox', { name: 'Segredo que o Stripe mostra' }).fill(secret)
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('O segredo está guardado.')).toBeVisible()
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'invoice.payment_failed',
    data: { object: { id: 'in_1', amount_due: 1200, currency: 'eur', customer_email: 'ana@example.com' } },
  })
  const time = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': `t=${time},v1=${signature}` }
  expect((await fetch(await address.inputValue(), { method: 'POST', headers, body })).status).toBeLessThan(300)
  await expect(page.getByRole('button', { name: /^invoice.payment_failed/ })).toBeVisible()
})

test('what an own program sends is published as its template says, which is tried on what it sent', async ({
  page,
  signIn,
  sininho,
}) => {
  await signIn(page)
  await page.goto(await ownProgram(page, sininho))
  const url = await page.getByRole('textbox', { name: 'Endereço de Bilheteira' }).inputValue()
  await expect(page.getByRole('button', { name: /recusado/ })).toBeVisible()
  await page.getByRole('button', { name: 'Modelo do que sai' }).click()
  const form = page.getByRole('form', { name: 'O modelo do que sai' })
  const title = form.getByRole('textbox', { name: 'Título' })
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form.getByText('Escreva o título.')).toBeVisible()
  await title.fill('{{ payload.local }: {{ payload.vendidos }}')
  await expect(form.getByText(/^Linha 1: não se percebe/)).toBeVisible()
  await expect(title).toHaveAttribute('aria-invalid', 'true')
  await title.fill('{{ payload.local }}: {{ payload.vendidos | plus: 1 }} bilhetes')
  const shown = form.getByRole('region', { name: 'Como vai aparecer' })
  await expect(shown.getByText('Casa do Povo: 88 bilhetes').first()).toBeVisible()
  await form
    .getByRole('textbox', { name: 'Quando não sai' })
    .fill('{% if payload.vendidos > 80 %}já se sabe{% endif %}')
  await expect(form.getByRole('status')).toContainText('já se sabe')
  await form.getByRole('textbox', { name: 'Quando não sai' }).fill('')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  expect((await page.request.post(url, { data: { local: 'Adega', vendidos: 9 } })).ok()).toBe(true)
  await expect(page.getByRole('button', { name: /publicado/ })).toBeVisible()

  await form.getByRole('button', { name: 'Tirar o modelo' }).click()
  await expect(form.getByRole('button', { name: 'Tirar o modelo' })).toHaveCount(0)
  expect((await page.request.post(url, { data: { local: 'Adega', vendidos: 10 } })).status()).toBe(422)
})

/** A program that receives events, of which it refuses the first that is no challenge. */
async function receiver(secret: () => string) {
  let refused = false
  const got: string[] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', () => void respond(Buffer.concat(parts)))
    const respond = async (body: Buffer) => {
      const message = await verifyWebhook(body, request.headers, secret())
      const { type, data } = JSON.parse(body.toString()) as { type: string; data: { challenge?: string } }
      got.push(type)
      if (data.challenge) return response.end(await signChallenge(message, data.challenge, secret()))
      response.statusCode = refused ? 204 : 503
      refused = true
      return response.end()
    }
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sininho`, got, server }
}

test('a program is told what happens: it is confirmed, refuses a test, and gets it again', async ({
  page,
  signIn,
  sininho,
}) => {
  await signIn(page)
  const [, , slug] = (await studio(page, sininho)).split('/')
  let secret = ''
  const { url, got, server } = await receiver(() => secret)
  await page.goto(`/studio/${slug}`)
  const told = page.getByRole('region', { name: 'Avisar programas' })
  await told.getByRole('button', { name: 'Avisar um programa' }).click()
  await told.getByRole('textbox', { name: 'Nome' }).fill('Painel')
  await told.getByRole('textbox', { name: 'Endereço' }).fill(url)
  await told.getByRole('checkbox', { name: 'Mudou o número de seguidores' }).uncheck()
  await told.getByRole('button', { name: 'Avisar um programa' }).click()
  const row = told.getByRole('button', { name: /^Painel/ })
  await expect(row).toContainText('por confirmar')
  secret = await kept(told, /^whsec_/)
  await told.getByRole('button', { name: 'Confirmar', exact: true }).click()
  await expect(row).toContainText('ligado')

  await told.getByRole('button', { name: 'Enviar um teste' }).click()
  const log = told.getByRole('region', { name: 'O que lhe enviámos' })
  await log.getByRole('button', { name: /^Teste/ }).click()
  await expect(log.getByText(/^Respondeu 503, em/i)).toBeVisible()
  await log.getByRole('button', { name: /^Enviar de novo/ }).click()
  await expect(log.getByRole('button', { name: /^Teste/ })).toContainText('entregue')
  expect(got).toEqual(['challenge', 'test', 'test'])

  await told.getByRole('button', { name: 'Trocar o segredo' }).click()
  await confirm(page, 'Trocar o segredo')
  expect(await kept(told, /^whsec_/)).not.toBe(secret)
  await told.getByRole('button', { name: 'Desligar Painel' }).click()
  await expect(row).toContainText('desligado')
  await told.getByRole('button', { name: 'Apagar Painel' }).click()
  await confirm(page, 'Apagar')
  await expect(row).toHaveCount(0)
  server.close()
})

test('a program that cannot respond is confirmed by the code that it got', async ({ page, signIn, sininho }) => {
  await signIn(page)
  const [, , slug] = (await studio(page, sininho)).split('/')
  let code = ''
  const server = createServer((request, response) => {
    request.on('data', (part: Buffer) => {
      code = (JSON.parse(part.toString()) as { data: { challenge: string } }).data.challenge
    })
    request.on('end', () => response.end('ok'))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await page.request.post(`/api/v1/publishers/${slug}/event-endpoints`, { data: { name: 'Registo', url } })
  await page.goto(`/studio/${slug}`)
  const told = page.getByRole('region', { name: 'Avisar programas' })
  await told.getByRole('button', { name: /^Registo/ }).click()
  await told.getByRole('button', { name: 'Confirmar', exact: true }).click()
  await expect(told.getByText('Não ficou confirmado: não respondeu com a assinatura pedida.')).toBeVisible()
  await told.getByRole('textbox', { name: 'Código que o programa recebeu' }).fill(code)
  await told.getByRole('button', { name: 'Confirmar com o código' }).click()
  await expect(told.getByRole('button', { name: /^Registo/ })).toContainText('ligado')
  server.close()
})

test('what is shown for automation runs unchanged', async ({ page, signIn, sininho }, info) => {
  await signIn(page)
  const example = await studio(page, sininho)
  const [, , slug] = example.split('/')
  const data = { name: 'Teste', scopes: ['manage'] }
  const made = await page.request.post('/api/v1/subscribers/access-tokens', { data })
  const { secret } = (await made.json()) as { secret: string }
  const env = { ...process.env, SININHO_ACCESS_TOKEN: secret, PATH: `${bin}:${process.env.PATH}` }
  const all = async (place: Locator) => {
    await place.getByRole('button', { name: 'Para quem automatiza' }).click()
    const code = async (tab: string) => {
      await place.getByRole('tab', { name: tab }).click()
      return place.getByRole('region', { name: `Código para ${tab}` }).innerText()
    }
    await run('sh', ['-c', `${await code('curl')} -f`], { env })
    await run('sh', ['-c', await code('Linha de comandos')], { env })
    // inside the module, so that go finds the SDK; the underscore excludes it from ./...
    const folder = await mkdtemp(info.outputPath('_go-'))
    await writeFile(join(folder, 'main.go'), await code('Go'))
    await run('go', ['run', join(folder, 'main.go')], { env })
  }
  await page.goto(`${example}/webhooks`)
  await all(page.getByRole('main'))
  await page.goto(`/studio/${slug}`)
  await all(page.getByRole('region', { name: 'Chaves para programas' }))
  await all(page.getByRole('region', { name: 'Avisar programas' }))
  const count = async (path: string) =>
    ((await (await page.request.get(`/api/v1${path}`)).json()) as { meta: { total: number } }).meta.total
  expect([
    await count(`/channels/${slug}/ensaios/webhooks`),
    await count(`/publishers/${slug}/api-keys`),
    await count(`/publishers/${slug}/event-endpoints`),
  ]).toEqual([3, 3, 3])
})
