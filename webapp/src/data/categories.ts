import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'

export const categoryKeys = { all: ['categories'] as const }

export const categoriesQuery = () =>
  queryOptions({
    queryKey: categoryKeys.all,
    queryFn: ({ signal }) => everything((query) => call(api().GET('/categories', { params: { query }, signal }))),
    staleTime: 5 * 60_000,
  })
