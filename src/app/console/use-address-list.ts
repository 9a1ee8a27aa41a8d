import {useRouter, type AnyRouter} from '@tanstack/react-router'
import {useActor} from '@xstate/react'
import {useState} from 'react'
import {Observable} from 'rxjs'
import {fromEventObservable, fromPromise} from 'xstate'
import type {PageQuery} from '#api/management-calls.ts'
import {newestFirst, sortOf, sortText, type ListSort} from '#domain/list-sort.ts'
import {
  createResourceListMachine,
  type ListPage,
  type ListQuery,
  type ResourceListEvent,
} from '#machines/resource-list/resource-list.machine.ts'
import {useAppActor} from '../actors.context.tsx'
import {errandOf} from './use-errand.ts'

type QueryChange = Extract<ResourceListEvent, {type: 'query.changed'}>
/** The query of an address: only the keys that the page knows, each with one value. */
type Search = Readonly<Record<string, unknown>>

type AddressList<Item> = {
  /** Keys of the address that choose rows: `page` and the filters. */
  keys: readonly string[]
  /** Keys of the wire by which rows can be sorted; the newest first is always possible. */
  sortKeys?: readonly string[]
  read: (query: ListQuery, signal: AbortSignal) => Promise<ListPage<Item>>
  /** Rows on a page, where the address names one. */
  pageSize?: number
  /** Another list of the page leads this one. */
  isLed?: boolean
  /** The page was shown again, and the list is about to be read. */
  onReread?: () => void
}

type QueryReader = (search: Search) => ListQuery

const valueOf = (search: Search, key: string) => {
  const value = search[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A sort that is not offered, or is the default, is left out. */
function orderingOf(search: Search, sortKeys: readonly string[]): string | undefined {
  const ordering = sortText(sortOf(valueOf(search, 'ordering'), sortKeys))
  return ordering === sortText(newestFirst) ? undefined : ordering
}

/** The page that the address names; anything but a whole number from 1 is the first. */
export const pageNumber = ({page}: ListQuery): number =>
  page !== undefined && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1

/** The request for this page of rows, in its sort. */
export const pageRequest = (query: ListQuery, pageSize: number): Required<PageQuery> => ({
  limit: pageSize,
  offset: (pageNumber(query) - 1) * pageSize,
  ordering: query.ordering ?? sortText(newestFirst),
})

/** Queries of the address while it stays on this page. */
const queriesOf = (router: AnyRouter, readQuery: QueryReader) =>
  new Observable<QueryChange>((subscriber) => {
    const {pathname} = router.state.location
    return router.subscribe('onResolved', ({toLocation}) => {
      if (toLocation.pathname === pathname)
        subscriber.next({type: 'query.changed', query: readQuery(toLocation.search)})
    })
  })

/**
 * One page of a list whose page, filters and sort are in the address (`resource-list`). Ends with the view. `choose`
 * and `sorting` lead to another address, on its first page, so that Back goes through them.
 */
export function useAddressList<Item>({
  keys,
  sortKeys = [],
  read,
  pageSize,
  isLed = false,
  onReread = () => {},
}: AddressList<Item>) {
  const router = useRouter()
  const environment = useAppActor('environment')
  const [{logic, readQuery}] = useState(() => {
    const readQuery: QueryReader = (search) => ({
      ...Object.fromEntries(keys.map((key) => [key, valueOf(search, key)])),
      ordering: orderingOf(search, sortKeys),
    })
    return {
      readQuery,
      logic: createResourceListMachine<Item>().provide({
        actors: {
          readPage: fromPromise<ListPage<Item>, {query: ListQuery}>(({input, signal}) => read(input.query, signal)),
          queries: fromEventObservable<QueryChange, undefined>(() => queriesOf(router, readQuery)),
        },
        actions: {
          announceReread: onReread,
          openLastPage: ({context}, {total}) => {
            const last = pageSize === undefined ? Infinity : Math.ceil(total / pageSize)
            if (pageNumber(context.query) <= last) return
            const page = last === 1 ? undefined : String(last)
            void router.navigate({
              to: '.',
              replace: true,
              search: (before): ListQuery => ({...errandOf(before), ...readQuery(before), page}),
            })
          },
        },
      }),
    }
  })
  const [snapshot, send] = useActor(logic, {
    input: {query: readQuery(router.state.location.search), environment, isLed},
  })
  const {query} = snapshot.context
  const choose = (change: ListQuery) =>
    void router.navigate({
      to: '.',
      search: (before): ListQuery => ({...errandOf(before), ...readQuery(before), page: undefined, ...change}),
    })
  const sorting = {
    sort: sortOf(query.ordering, sortKeys),
    initial: newestFirst,
    onSort: (sort: ListSort) => choose({ordering: orderingOf({ordering: sortText(sort)}, sortKeys)}),
  }
  return {snapshot, send, query, choose, sorting}
}
