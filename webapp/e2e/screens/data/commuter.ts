import type { Page } from '@playwright/test'
import type { Sininho } from '../../support/sininho.ts'
import { follow } from '../../support/test.ts'

/** What a channel publishes on a day: its titles, in turns, so many times. */
type Day = { slug: string; name: string; icon?: string; times: number; titles: string[]; body?: string; link?: string }

const quiet = [
  'Junta de Freguesia', 'Paróquia de São Mamede', 'Escola Básica n.º 4', 'Associação de Pais', 'Centro de Saúde',
  'Biblioteca Municipal', 'Piscinas da Vila', 'Clube de Leitura', 'Mercado da Praça', 'Farmácias de serviço',
  'Recolha de lixo', 'Água e saneamento', 'Obras na via pública', 'Proteção Civil', 'Bombeiros', 'Teatro Municipal',
  'Cinemateca', 'Museu do Rio', 'Orquestra da Cidade', 'Feira do Livro', 'Ciclovias', 'Estacionamento', 'Aeroporto',
  'Porto de Lisboa', 'Universidade', 'Banco Alimentar', 'Condomínio 23', 'Ginásio Sul', 'Padaria da Esquina',
  'Newsletter de Design', 'Segurança informática',
] // prettier-ignore

/** 40 channels, nine of which publish most of 150 notifications, one between others. */
const days: Day[] = [
  { slug: 'deploys', name: 'Deploys', icon: 'lancamentos', times: 28, titles: ['api em produção', 'web em produção', 'worker em produção'], body: 'Versão nova em todas as regiões, sem erros nos primeiros cinco minutos.' },
  { slug: 'revisoes', name: 'Revisões de código', times: 22, titles: ['Pedido de revisão de Marta', 'Comentário de Rui', 'Aprovado por Inês'] },
  { slug: 'alertas', name: 'Alertas dos servidores', times: 14, titles: ['Disco a 80 %', 'Latência acima de 300 ms', 'De volta ao normal'] },
  { slug: 'metro', name: 'Metro', icon: 'metro', times: 12, titles: ['Linha azul com atrasos', 'Linha verde reaberta', 'Elevador fora de serviço'], body: 'Os intervalos estão maiores do que o normal até às 11:00.' },
  { slug: 'autocarros', name: 'Autocarros', times: 10, titles: ['Carreira 728 desviada', 'Carreira 714 suprimida'] },
  { slug: 'comboios', name: 'Comboios urbanos', times: 9, titles: ['Supressões na linha de Sintra', 'Atraso de 12 minutos'] },
  { slug: 'tempo', name: 'Tempo', icon: 'tempo', times: 6, titles: ['Chuva a partir das 17:00', 'Vento forte na costa'] },
  { slug: 'futebol', name: 'Futebol', icon: 'futebol', times: 14, titles: ['Golo!', 'Intervalo', 'Fim do jogo'] },
  { slug: 'noticias', name: 'Notícias', icon: 'novidades', times: 4, link: 'https://noticias.example/hoje', titles: ['Orçamento aprovado na generalidade', 'Greve desconvocada'] },
  ...quiet.map((name, at) => ({ slug: `canal-${at + 1}`, name, times: 1, titles: [`Novidades de ${name}`] })),
] // prettier-ignore

export const channels = days.length

/** Where a channel has been made, by its server. */
const made = new WeakMap<Sininho, Promise<string[]>>()

/** Makes the page's person a commuter, with 40 channels and 150 unread notifications of today. */
export async function commute(page: Page, sininho: Sininho) {
  let addresses = made.get(sininho)
  if (!addresses) made.set(sininho, (addresses = createChannels(sininho)))
  for (const address of await addresses) await follow(page, address)
  const order = days.flatMap((day, at) =>
    Array.from({ length: day.times }, (_, time) => ({
      ...day,
      at,
      time,
      place: (time + ((at * 0.618) % 1)) / day.times,
    })),
  )
  for (const { at, time, titles, body, link } of order.toSorted((a, b) => a.place - b.place)) {
    await sininho.publishAll((await addresses)[at]!, [{ title: titles[time % titles.length]!, body, link }])
  }
  // what a reader must not miss, and what is over soon
  const metro = (await addresses)[days.findIndex(({ slug }) => slug === 'metro')]!
  const expiresAt = new Date(Date.now() + 3 * 60 * 60_000).toISOString()
  await sininho.publishAll(metro, [
    {
      title: 'Linha amarela cortada até à noite',
      importance: 'important',
      expiresAt,
      link: 'https://metro.example/amarela',
    },
  ])
}

async function createChannels(sininho: Sininho): Promise<string[]> {
  const { data } = (await (await fetch(`${sininho.url}/api/v1/categories`)).json()) as { data: { id: string }[] }
  const addresses: string[] = []
  for (const [at, { slug, name, icon }] of days.entries()) {
    const category = data[at % data.length]!.id
    const picture = icon && `${sininho.url}/channels/${icon}.png`
    addresses.push(await sininho.addChannel({ slug: sininho.slug(slug), name, icon: picture, categoryId: category }))
  }
  return addresses
}
