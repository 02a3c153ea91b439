import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { deviceName } from '../../lib/push/device-name'
import { installationId } from '../../lib/push/registration'
import { channel, device, notification, ref, subscriber, subscription } from '../../testing/factories'
import { renderApp } from '../../testing/renderApp'
import { actions, at, live, problem, server, state } from '../../testing/server'

const firebase = vi.hoisted(() => ({
  pushAddress: vi.fn<() => Promise<string>>(),
  forgetAddress: vi.fn<() => Promise<boolean>>(),
}))
vi.mock('../../lib/push/firebase', () => firebase)

const asked = vi.fn()

/** Fakes a browser with push, in which the person responds to the permission prompt with `choice`. */
function browser(permission: NotificationPermission, choice: NotificationPermission = permission) {
  const fake = {
    permission,
    requestPermission: async () => {
      asked()
      fake.permission = choice
      return choice
    },
  }
  vi.stubGlobal('Notification', fake)
  vi.stubGlobal('PushManager', () => {})
  const registration = { pushManager: { getSubscription: async () => null } }
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: Object.assign(new EventTarget(), {
      register: vi.fn(async () => registration),
      ready: Promise.resolve(registration),
      getRegistration: async () => registration,
    }),
  })
}

const enable = () => screen.findByRole('button', { name: 'Ativar notificações' })

beforeEach(() => {
  state.subscriber = subscriber()
  asked.mockReset()
  firebase.pushAddress.mockReset().mockResolvedValue('fcm-address')
  firebase.forgetAddress.mockReset().mockResolvedValue(true)
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

describe('the last step of the onboarding', () => {
  const prominent = () =>
    screen
      .getAllByRole('button')
      .filter(({ dataset }) => dataset['variant'] === 'filled')
      .map(({ textContent }) => textContent)

  beforeEach(() => {
    state.subscriber = subscriber({ onboarded: false })
    state.onboarding = { step: 'notifications', categoryIds: [] }
  })

  it.each(['default', 'granted'] as const)('has one prominent button, with the permission %s', async (permission) => {
    browser(permission)
    renderApp('/onboarding')
    await screen.findByRole('button', { name: 'Ativar notificações' })
    expect(prominent()).toEqual(['Ativar notificações'])
  })

  it('leads on once there is nothing to turn on', async () => {
    browser('default', 'denied')
    const { user } = renderApp('/onboarding')
    await user.click(await screen.findByRole('button', { name: 'Ativar notificações' }))
    expect(await screen.findByText(/bloqueadas neste navegador/)).toBeInTheDocument()
    await waitFor(() => expect(prominent()).toEqual(['Ver as minhas notificações']))
  })
})

describe('a device that does not ring', () => {
  const metro = channel({ following: true })
  const name = 'Este dispositivo não toca.'
  const silent = () => screen.findByRole('group', { name })

  beforeEach(() => {
    localStorage.clear()
    state.channels = [{ ...metro }]
    state.subscriptions = [subscription(ref(metro))]
  })

  it.each([
    ['the page of a followed channel', '/channels/metro/linhas'],
    ['the feed', '/feed'],
  ])('says so on %s, and can be turned on there', async (_where, path) => {
    browser('default', 'granted')
    const { user } = renderApp(path)
    await user.click(within(await silent()).getByRole('button', { name: 'Ativar' }))
    await waitFor(() => expect(actions).toContainEqual(expect.objectContaining({ call: 'POST /subscribers/devices' })))
    await waitFor(() => expect(screen.queryByRole('group', { name })).toBeNull())
  })

  it('says so beside the bell, and why it cannot ring', async () => {
    browser('denied')
    const { user } = renderApp('/channels')
    await user.click((await screen.findAllByRole('button', { name: /^Sino de/ }))[0]!)
    const region = within(await screen.findByRole('dialog')).getByRole('group', { name })
    expect(within(region).getByText(/bloqueadas neste navegador/)).toBeInTheDocument()
    expect(within(region).queryByRole('button')).toBeNull()
  })

  it('says so in the feed until somebody says not now, once', async () => {
    browser('default')
    // shown where the other is, and by the same part
    state.devices = [device({ name: 'Telemóvel', unshownSince: '2026-01-01T10:00:00Z' })]
    const { user, unmount } = renderApp('/feed')
    await user.click(within(await silent()).getByRole('button', { name: 'Agora não' }))
    expect(screen.queryByRole('group', { name })).toBeNull()
    unmount()
    renderApp('/feed')
    expect(await screen.findByText(/não mostra notificações desde/)).toBeInTheDocument()
    expect(screen.queryByRole('group', { name })).toBeNull()
  })

  it('is not blamed where nothing can ring', async () => {
    const { user } = renderApp('/feed')
    await user.click((await screen.findAllByRole('button', { name: /^Sino de/ }))[0]!)
    expect(await screen.findByText(/Este navegador não recebe notificações/)).toBeInTheDocument()
    expect(screen.getAllByRole('group', { name })).toHaveLength(1)
  })
})

describe('turning push on', () => {
  it('asks only on the click, registers this device, and can be turned off again', async () => {
    browser('default', 'granted')
    const { user } = renderApp('/settings/notifications')
    const button = await enable()
    expect(asked).not.toHaveBeenCalled()
    await user.click(button)
    expect(await screen.findByText('Este dispositivo recebe notificações.')).toBeInTheDocument()
    expect(actions[0]).toEqual({
      call: 'POST /subscribers/devices',
      body: {
        installationId: installationId(),
        kind: 'fcm',
        address: 'fcm-address',
        platform: 'web',
        name: deviceName(),
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Desativar neste dispositivo' }))
    expect(await enable()).toBeInTheDocument()
    expect(firebase.forgetAddress).toHaveBeenCalledOnce()
  })

  it('says how to undo a refusal', async () => {
    browser('default', 'denied')
    const { user } = renderApp('/settings/notifications')
    await user.click(await enable())
    expect(await screen.findByText('Não foi possível ativar as notificações.')).toBeInTheDocument()
    expect(screen.getByText(/estão bloqueadas neste navegador/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Ativar notificações' })).not.toBeInTheDocument()
  })

  it('says so when the question was put away, and may be asked again', async () => {
    browser('default', 'default')
    const { user } = renderApp('/settings/notifications')
    await user.click(await enable())
    expect(await screen.findByText(/A permissão não foi dada/)).toBeInTheDocument()
    expect(await enable()).toBeEnabled()
  })

  it('says so when the push service cannot be reached', async () => {
    browser('granted')
    firebase.pushAddress.mockRejectedValue(new DOMException('push service error', 'AbortError'))
    const { user } = renderApp('/settings/notifications')
    await user.click(await enable())
    expect(
      await screen.findByText(/Não foi possível chegar ao serviço de notificações do navegador/),
    ).toBeInTheDocument()
    expect(actions).toEqual([])
  })

  it.each([
    ['waits for a slow phone', 25_000, 'Desativar neste dispositivo'],
    ['does not wait for a push service that never responds', Infinity, /Não foi possível chegar ao serviço/],
  ])('%s', async (_what, takes, shown) => {
    browser('granted')
    firebase.pushAddress.mockImplementation(
      () => new Promise((resolve) => takes < Infinity && setTimeout(() => resolve('fcm-address'), takes)),
    )
    const { user } = renderApp('/settings/notifications')
    const button = await enable()
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
    await user.click(button)
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    vi.useRealTimers()
    expect(await screen.findByText(shown)).toBeInTheDocument()
  })

  it('fails with the server’s refusal', async () => {
    browser('granted')
    server.use(http.post(at('/subscribers/devices'), () => problem(500)))
    const { user } = renderApp('/settings/notifications')
    await user.click(await enable())
    expect(await screen.findByText('Não foi possível ativar as notificações.')).toBeInTheDocument()
  })
})

describe('where push cannot be', () => {
  it('says in an old browser that the feed has everything', async () => {
    renderApp('/settings/notifications')
    expect(await screen.findByText(/Este navegador não recebe notificações/)).toBeInTheDocument()
  })

  it('asks iPhone users to install the app', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Safari/604.1')
    renderApp('/settings/notifications')
    expect(await screen.findByText(/chegam depois de instalar o Sininho/)).toBeInTheDocument()
  })
})

describe('at start', () => {
  it('asks nothing and registers nothing where push was never turned on', async () => {
    browser('default')
    renderApp('/feed')
    await screen.findByText('Ainda não há notificações')
    expect(asked).not.toHaveBeenCalled()
    expect(firebase.pushAddress).not.toHaveBeenCalled()
  })

  it('registers again, silently, where it was', async () => {
    browser('granted')
    localStorage.setItem('sininho.push', 'fcm')
    firebase.pushAddress.mockResolvedValue('new-address')
    renderApp('/feed')
    await waitFor(() => expect(actions[0]?.body).toMatchObject({ address: 'new-address' }))
    expect(screen.queryByText('Tudo certo!')).not.toBeInTheDocument()
  })

  it('does not register a device that is turned off meanwhile', async () => {
    browser('granted')
    localStorage.setItem('sininho.push', 'fcm')
    state.devices = [device({ installationId: installationId() })]
    let register: (address: string) => void = () => {}
    firebase.pushAddress.mockReturnValue(new Promise((resolve) => (register = resolve)))
    const { user } = renderApp('/settings/notifications')
    await user.click(await screen.findByRole('button', { name: 'Desativar neste dispositivo' }))
    expect(await enable()).toBeInTheDocument()
    register('late-address')
    await waitFor(() => expect(firebase.forgetAddress).toHaveBeenCalled())
    expect(actions.map(({ call }) => call)).not.toContain('POST /subscribers/devices')
    expect(state.devices).toEqual([])
  })

  it('is turned off after a pending registration', async () => {
    browser('granted')
    localStorage.setItem('sininho.push', 'fcm')
    state.devices = [device({ installationId: installationId() })]
    let respond: () => void = () => {}
    const held = new Promise<void>((resolve) => (respond = resolve))
    server.use(http.post(at('/subscribers/devices'), () => held))
    const { user } = renderApp('/settings/notifications')
    await waitFor(() => expect(firebase.pushAddress).toHaveBeenCalled())
    await user.click(await screen.findByRole('button', { name: 'Desativar neste dispositivo' }))
    respond()
    expect(await enable()).toBeInTheDocument()
    expect(actions.map(({ call }) => call).at(-1)).toMatch('DELETE /subscribers/devices/')
    expect(localStorage.getItem('sininho.push')).toBeNull()
  })
})

describe('a push while the app is in front', () => {
  /** Posts a push as the service worker does (see sw.ts). Returns the mock that receives the page's reply. */
  const push = (data: Record<string, string>) => {
    const confirm = vi.fn()
    const handed = { title: 'Chegou', body: 'Agora', icon: '/i.png', tag: data.id, data }
    const message = Object.assign(new Event('message'), {
      data: { push: handed },
      ports: [{ postMessage: confirm }],
    })
    act(() => void navigator.serviceWorker.dispatchEvent(message))
    return confirm
  }

  it('shows a toast, confirms it, and fetches the lists again', async () => {
    browser('granted')
    const metro = channel()
    renderApp('/feed')
    await screen.findByText('Ainda não há notificações')
    state.feed = [notification({ id: 'p1', channel: ref(metro), title: 'Na lista' })]
    expect(push({ id: 'p1', channel: 'metro/linhas' })).toHaveBeenCalledOnce()
    const toast = (await screen.findByText('Chegou')).closest('[role=status]') as HTMLElement
    expect(within(toast).getByRole('link', { name: 'Abrir' })).toHaveAttribute('href', '/feed?notification=p1')
    expect(await screen.findByText('Na lista')).toBeInTheDocument()
  })

  it('is shown before Firebase is there', async () => {
    browser('granted')
    localStorage.setItem('sininho.push', 'fcm')
    firebase.pushAddress.mockReturnValue(new Promise(() => {}))
    renderApp('/settings/notifications')
    await waitFor(() => expect(live.open.size).toBe(1))
    expect(push({ id: 'p3', channel: 'metro/linhas' })).toHaveBeenCalledOnce()
    expect(await screen.findByText('Chegou')).toBeInTheDocument()
  })

  it('is left to other tabs by a hidden tab', async () => {
    browser('granted')
    renderApp('/feed')
    await screen.findByText('Ainda não há notificações')
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    state.feed = [notification({ id: 'p4', title: 'Na lista' })]
    expect(push({ id: 'p4', channel: 'metro/linhas' })).not.toHaveBeenCalled()
    expect(await screen.findByText('Na lista')).toBeInTheDocument()
    expect(screen.queryByText('Chegou')).not.toBeInTheDocument()
  })

  it('fetches the lists again after a button of a system notification too', async () => {
    browser('granted')
    renderApp('/feed')
    await screen.findByText('Ainda não há notificações')
    state.feed = [notification({ id: 'p5', title: 'Na lista' })]
    const message = Object.assign(new Event('message'), { data: { acted: true }, ports: [] })
    act(() => void navigator.serviceWorker.dispatchEvent(message))
    expect(await screen.findByText('Na lista')).toBeInTheDocument()
  })

  it('of a test has no link to a notification', async () => {
    browser('granted')
    renderApp('/settings/notifications')
    await waitFor(() => expect(live.open.size).toBe(1))
    push({ id: 't1' })
    const toast = (await screen.findByText('Chegou')).closest('[role=status]') as HTMLElement
    expect(within(toast).queryByRole('link')).not.toBeInTheDocument()
  })

  it('is shown once when it comes by the live stream too', async () => {
    browser('granted')
    const metro = channel()
    state.subscriptions = [subscription(ref(metro))]
    renderApp('/channels')
    await screen.findByRole('heading', { level: 1, name: 'Canais' })
    await waitFor(() => expect(live.open.size).toBe(1))
    live.send('notification', notification({ id: 'p2', channel: ref(metro), title: 'Chegou' }))
    await screen.findByText('Chegou')
    push({ id: 'p2', channel: 'metro/linhas' })
    expect(push({ id: 'p2', channel: 'metro/linhas' })).toHaveBeenCalledOnce()
    expect(screen.getAllByText('Chegou')).toHaveLength(1)
  })
})

it('signing out makes the browser forget its address', async () => {
  browser('granted')
  localStorage.setItem('sininho.push', 'fcm')
  state.devices = [device({ installationId: installationId() })]
  const { user } = renderApp('/settings')
  await user.click(await screen.findByRole('button', { name: 'Sair' }))
  await waitFor(() => expect(firebase.forgetAddress).toHaveBeenCalledOnce())
  expect(localStorage.getItem('sininho.push')).toBeNull()
})

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 'Chrome no Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/156.0 Safari/537.36 Edg/156.0', 'Edge no Windows'],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/156.0 Mobile Safari/537.36', 'Chrome no Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari no iPhone',
  ],
  ['curl/8', 'Navegador em dispositivo desconhecido'],
])('%s is "%s"', (userAgent, name) => expect(deviceName(userAgent)).toBe(name))
