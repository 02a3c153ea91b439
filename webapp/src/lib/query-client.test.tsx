import { ApiError, NetworkError } from '@sininho/sdk'
import { MutationObserver, QueryObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type MutationMeta, createQueryClient, queued } from './query-client'

const setup = () => {
  const toaster = { success: vi.fn(), networkFailure: vi.fn(), failure: vi.fn() }
  const onSignedOut = vi.fn()
  const client = createQueryClient(toaster, onSignedOut)
  const run = (mutationFn: () => Promise<unknown>, meta?: MutationMeta) =>
    new MutationObserver(client, { mutationFn, meta }).mutate().catch(() => undefined)
  return { toaster, onSignedOut, client, run }
}
const fail = (error: Error) => () => Promise.reject(error)

describe('the error catalogue', () => {
  it('network error: titled toast with the error’s own message, whatever the action says', async () => {
    const { toaster, run } = setup()
    await run(fail(new NetworkError(undefined, 'Sem rede.')), { errorMessage: 'Não deu.' })
    expect(toaster.networkFailure).toHaveBeenCalledExactlyOnceWith('Sem rede.')
    expect(toaster.failure).not.toHaveBeenCalled()
  })

  it('other error: the action’s own message', async () => {
    const { toaster, run } = setup()
    await run(fail(new Error('interno')), { errorMessage: 'Não deu.' })
    expect(toaster.failure).toHaveBeenCalledExactlyOnceWith('Não deu.')
  })

  it('other error of an action without a message: the error’s, if it has one', async () => {
    const { toaster, run } = setup()
    await run(fail(new Error('Do servidor.')))
    await run(fail(new Error()))
    expect(toaster.failure).toHaveBeenCalledExactlyOnceWith('Do servidor.')
  })

  it('success: a toast only where the action has a message', async () => {
    const { toaster, run } = setup()
    await run(async () => 1, { successMessage: 'Feito.' })
    await run(async () => 1)
    expect(toaster.success).toHaveBeenCalledExactlyOnceWith('Feito.')
  })
})

it.each(['succeeds', 'fails'])(
  'refreshes the named queries when an action %s, and is pending until they are',
  async (how) => {
    const { client } = setup()
    let fetched = 0
    let finish = () => {}
    const query = new QueryObserver(client, {
      queryKey: ['named'],
      queryFn: () => (fetched++ === 0 ? 0 : new Promise<number>((resolve) => (finish = () => resolve(1)))),
    })
    const stop = query.subscribe(() => {})
    await vi.waitFor(() => expect(query.getCurrentResult().data).toBe(0))
    const mutation = new MutationObserver(client, {
      mutationFn: how === 'fails' ? fail(new Error('x')) : async () => 1,
      meta: { invalidates: [['named']] },
    })
    const done = mutation.mutate().catch(() => undefined)
    await vi.waitFor(() => expect(fetched).toBe(2))
    expect(mutation.getCurrentResult().status).toBe('pending')
    finish()
    await done
    expect(mutation.getCurrentResult().status).toBe(how === 'fails' ? 'error' : 'success')
    stop()
  },
)

describe('retries', () => {
  const count = async (error: Error) => {
    vi.useFakeTimers()
    const { client, onSignedOut } = setup()
    const times: number[] = []
    const start = Date.now()
    const fetching = client
      .fetchQuery({ queryKey: ['x'], queryFn: () => (times.push(Date.now() - start), Promise.reject(error)) })
      .catch(() => undefined)
    await vi.advanceTimersByTimeAsync(120_000)
    await fetching
    vi.useRealTimers()
    return { times, onSignedOut }
  }

  it('a failed fetch is tried 3 times more, 1, 2 and 4 s apart', async () => {
    expect((await count(new ApiError(500))).times).toEqual([0, 1000, 3000, 7000])
    expect((await count(new NetworkError())).times).toHaveLength(4)
  })

  it('a 401 is not tried again; the session is looked at', async () => {
    const { times, onSignedOut } = await count(new ApiError(401))
    expect(times).toEqual([0])
    expect(onSignedOut).toHaveBeenCalledOnce()
  })
})

describe('queued actions', () => {
  afterEach(() => onlineManager.setOnline(true))

  const act = (client: ReturnType<typeof setup>['client'], mutationFn: () => Promise<unknown>, meta?: MutationMeta) =>
    new MutationObserver(client, { ...queued('x'), mutationFn, meta }).mutate().catch(() => undefined)

  it('wait for a connection, run in order, and refresh what they change once, after the last', async () => {
    const { client } = setup()
    const done: number[] = []
    const fetched = vi.fn(() => [...done])
    const stop = new QueryObserver(client, { queryKey: ['named'], queryFn: fetched }).subscribe(() => {})
    await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce())
    onlineManager.setOnline(false)
    const meta = { invalidates: [['named']] }
    const acting = [1, 2, 3].map((number) => act(client, async () => done.push(number), meta))
    await vi.waitFor(() => expect(client.isMutating()).toBe(3))
    expect(done).toEqual([])
    client.mount()
    onlineManager.setOnline(true)
    await Promise.all(acting)
    client.unmount()
    expect(done).toEqual([1, 2, 3])
    expect(fetched.mock.results.slice(1).map(({ value }) => value)).not.toContainEqual([1])
    expect(client.getQueryData(['named'])).toEqual([1, 2, 3])
    stop()
  })

  it('that could not reach the server are tried again if nothing else can', async () => {
    const { client, toaster } = setup()
    client.mount()
    const request = vi
      .fn<() => Promise<unknown>>()
      .mockImplementationOnce(() => (onlineManager.setOnline(false), Promise.reject(new NetworkError())))
      .mockResolvedValue(1)
    const acting = act(client, request)
    await vi.waitFor(() => expect(onlineManager.isOnline()).toBe(false))
    onlineManager.setOnline(true)
    await acting
    client.unmount()
    expect(request).toHaveBeenCalledTimes(2)
    expect(toaster.networkFailure).not.toHaveBeenCalled()
  })
})

it('unused data is kept for 5 minutes, and actions are tried offline too', () => {
  const { client } = setup()
  client.setQueryData(['x'], 1)
  expect(client.getQueryCache().find({ queryKey: ['x'] })?.gcTime).toBe(5 * 60_000)
  expect(client.getDefaultOptions().mutations?.networkMode).toBe('always')
})
