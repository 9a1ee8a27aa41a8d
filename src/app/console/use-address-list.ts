import {useRouter, type AnyRouter} from '@tanstack/react-router'
import {useActor} from '@xstate/react'
import {useState} from 'react'
import {Observable} from 'rxjs'
import {fromEventObservable, fromPromise} from 'xstate'
import {
  createResourceListMachine,
  type ListPage,
  type ListQuery,
  type ResourceListEvent,
} from '#machines/resource-list/resource-list.machine.ts'
import {useAppActor} from '../actors.context.tsx'

type QueryChange = Extract<ResourceListEvent, {type: 'query.changed'}>
/** The query of an address: only the keys that the page knows, each with one value. */
type Search = Readonly<Record<string, unknown>>

type AddressList<Item> = {
  /** Keys of the address that choose rows: `page` and the filters. */
  keys: readonly string[]
  read: (query: ListQuery, signal: AbortSignal) => Promise<ListPage<Item>>
}

const queryOf = (keys: readonly string[], search: Search): ListQuery =>
  Object.fromEntries(
    keys.map((key) => {
      const value = search[key]
      return [key, typeof value === 'string' && value !== '' ? value : undefined]
    }),
  )

/** The page that the address names; anything but a whole number from 1 is the first. */
export const pageNumber = ({page}: ListQuery): number =>
  page !== undefined && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1

/** Queries of the address while it stays on this page. */
const queriesOf = (router: AnyRouter, keys: readonly string[]) =>
  new Observable<QueryChange>((subscriber) => {
    const {pathname} = router.state.location
    return router.subscribe('onResolved', ({toLocation}) => {
      if (toLocation.pathname === pathname)
        subscriber.next({type: 'query.changed', query: queryOf(keys, toLocation.search)})
    })
  })

/** One page of a list whose page, filters and order are in the address (`resource-list`). Ends with the view. */
export function useAddressList<Item>({keys, read}: AddressList<Item>) {
  const router = useRouter()
  const environment = useAppActor('environment')
  const [logic] = useState(() =>
    createResourceListMachine<Item>().provide({
      actors: {
        readPage: fromPromise<ListPage<Item>, {query: ListQuery}>(({input, signal}) => read(input.query, signal)),
        queries: fromEventObservable<QueryChange, undefined>(() => queriesOf(router, keys)),
      },
    }),
  )
  const [snapshot, send] = useActor(logic, {input: {query: queryOf(keys, router.state.location.search), environment}})
  return {snapshot, send, query: snapshot.context.query}
}
