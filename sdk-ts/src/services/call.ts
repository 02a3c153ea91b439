import type { MainClient } from '../client.js'

/** Settings of one call. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal | undefined
}

/** Settings of a call that creates something. */
export interface CreateOptions extends CallOptions {
  /** Repeats of the same call under one key create only once. Default: a random key, which the call's retries share. */
  idempotencyKey?: string | undefined
}

/** Settings of a list. */
export interface ListOptions extends CallOptions {
  /** How many items are fetched at once, at most 100. */
  pageSize?: number | undefined
}

/** The options of the client underneath. */
export const sent = ({ signal, idempotencyKey }: CreateOptions = {}) => ({
  ...(signal && { signal }),
  ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
})

/** Operations on one noun. */
export abstract class Service {
  protected readonly client: MainClient

  constructor(client: MainClient) {
    this.client = client
  }
}
