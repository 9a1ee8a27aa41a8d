import {assign, setup, type SnapshotFrom} from 'xstate'
import {toFailure, type Failure} from '#domain/failure.ts'
import {
  environmentChanges,
  environmentInvoke,
  type EnvironmentActor,
} from '#machines/environment/environment.machine.ts'
import {promisePort, streamPort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** The query of a list in the address: page, filters, order. Two queries are the same if all their values are. */
export type ListQuery = Readonly<Record<string, string | undefined>>

/** One page of a list. `total` counts all pages. */
export type ListPage<Item> = {items: readonly Item[]; total: number}

export type ResourceListInput = {
  query: ListQuery
  environment: EnvironmentActor
  /** The list repeats another one: it is read together with that one (`list.reread`), never by its own decision. */
  isLed?: boolean
}

export type ResourceListEvent =
  /** The address names another page, filter or order. */
  | {type: 'query.changed'; query: ListQuery}
  /** Reads the same query again; shown rows stay. */
  | {type: 'list.refresh'}
  /** Reads a led list again, quietly: sent by the list that leads it. */
  | {type: 'list.reread'}
  | {type: 'connection.restored'}
  | {type: 'page.shown'}

/** `shown`: the last page that was read, and the query it answers. */
export type ResourceListContext<Item> = ResourceListInput & {
  shown?: ListPage<Item> & {query: ListQuery}
  failure?: Failure | undefined
}

const isSameQuery = (one: ListQuery, other: ListQuery) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => one[key] === other[key])

/** Ports, guards and actions of a list. */
const resourceListSetup = <Item>() =>
  setup({
    types: {
      input: {} as ResourceListInput,
      context: {} as ResourceListContext<Item>,
      events: {} as ResourceListEvent,
      tags: {} as 'loading',
    },
    actors: {
      environmentChanges,
      readPage: promisePort<ListPage<Item>, {query: ListQuery}>('readPage'),
      /** The query of the address: first the present one, then each change. */
      queries: streamPort<Extract<ResourceListEvent, {type: 'query.changed'}>>('queries'),
    },
    delays: {callDeadline: 20_000, freshness: 5_000},
    guards: {
      isFree: ({context}) => context.isLed !== true,
      /** The address names a page behind the last one: of an old link, or its last row is gone. */
      isBehindLast: (_, {output: {items, total}}: {output: ListPage<Item>}) => items.length === 0 && total > 0,
      isOther: ({context}, {query}: {query: ListQuery}) => !isSameQuery(context.query, query),
    },
    actions: {
      storeQuery: assign((_, {query}: {query: ListQuery}) => ({query})),
      storePage: assign(({context: {query}}, {output}: {output: ListPage<Item>}) => ({
        shown: {...output, query},
        failure: undefined,
      })),
      /** Port: the address names the last page instead. */
      openLastPage: (_, _list: {total: number}) => unfilledAction('openLastPage'),
      /** Port: the page was shown again, and the list is about to be read. */
      announceReread: () => unfilledAction('announceReread'),
      storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    },
  })

/**
 * One page of a list of the server: applications, orders, usage, rewards, invitees. Owned by the page that shows it,
 * ends with it. The address owns the query, which the port `queries` reports.
 *
 * States are the specification's request status (spec §4). Shown rows stay during the reading of the next page or a
 * refresh (`selectIsStale`), so that nothing blanks. After a failed reading the rows of another query are hidden
 * (`selectPage`): they answer another question.
 *
 * Changes by another tab or device are read when the page is shown again, quietly (`success.refreshing`) and not within
 * `freshness` of the last reading. A quiet reading that fails changes nothing; a failed list is read as after a click.
 * The port `announceReread` is called before, so that lists of the same page are read together: one leads, the others
 * are led.
 */
export const createResourceListMachine = <Item>() =>
  resourceListSetup<Item>().createMachine({
    id: 'resourceList',
    context: ({input}) => input,
    invoke: [
      environmentInvoke,
      // an address that cannot be followed leaves the list at its first query
      {id: 'queries', src: 'queries', onError: {}},
    ],
    initial: 'request',
    on: {
      'query.changed': {
        guard: {type: 'isOther', params: ({event}) => event},
        target: '.request',
        reenter: true,
        actions: [{type: 'storeQuery', params: ({event}) => event}],
      },
      'list.refresh': {target: '.request', reenter: true},
      'list.reread': {target: '.request', reenter: true},
    },
    states: {
      request: {
        tags: ['loading'],
        invoke: {
          id: 'readPage',
          src: 'readPage',
          input: ({context: {query}}) => ({query}),
          onDone: [
            {
              guard: {type: 'isBehindLast', params: ({event}) => event},
              target: 'success',
              actions: [
                {type: 'storePage', params: ({event}) => event},
                {type: 'openLastPage', params: ({event}) => event.output},
              ],
            },
            {target: 'success', actions: [{type: 'storePage', params: ({event}) => event}]},
          ],
          onError: {target: 'error', actions: [{type: 'storeFailure', params: ({event}) => event}]},
        },
        after: {callDeadline: {target: 'error', actions: [{type: 'storeFailure', params: timeout}]}},
      },
      success: {
        initial: 'fresh',
        on: {'list.reread': {target: '.refreshing', reenter: true}},
        states: {
          fresh: {
            after: {freshness: {target: 'resting'}},
            on: {'page.shown': {guard: 'isFree', target: 'awaited'}},
          },
          resting: {
            on: {'page.shown': {guard: 'isFree', target: 'refreshing', actions: ['announceReread']}},
          },
          awaited: {
            description: 'Shown so soon after the last reading that the next one waits.',
            after: {freshness: {target: 'refreshing', actions: ['announceReread']}},
          },
          refreshing: {
            invoke: {
              id: 'rereadPage',
              src: 'readPage',
              input: ({context: {query}}) => ({query}),
              onDone: [
                {
                  guard: {type: 'isBehindLast', params: ({event}) => event},
                  target: 'fresh',
                  actions: [
                    {type: 'storePage', params: ({event}) => event},
                    {type: 'openLastPage', params: ({event}) => event.output},
                  ],
                },
                {target: 'fresh', actions: [{type: 'storePage', params: ({event}) => event}]},
              ],
              onError: {target: 'resting'},
            },
            after: {callDeadline: {target: 'resting'}},
          },
        },
      },
      error: {
        on: {
          'connection.restored': {target: 'request'},
          'page.shown': {guard: 'isFree', target: 'request', actions: ['announceReread']},
        },
      },
    },
  })

type ResourceListMachine<Item> = ReturnType<typeof createResourceListMachine<Item>>
export type ResourceListSnapshot<Item> = SnapshotFrom<ResourceListMachine<Item>>

type Reading<Item> = {context: ResourceListContext<Item>; hasTag: (tag: 'loading') => boolean}

/**
 * Rows to show: those of the query, or the last ones during a reading. None after a failure of another query, and no
 * empty page of another query: it would say that the present query has no rows.
 */
export const selectPage = <Item>(snapshot: Reading<Item>): ListPage<Item> | undefined => {
  const {shown, query} = snapshot.context
  if (shown === undefined || isSameQuery(shown.query, query)) return shown
  return snapshot.hasTag('loading') && shown.items.length > 0 ? shown : undefined
}
/** Something is read while older rows are shown. */
export const selectIsStale = <Item>(snapshot: Reading<Item>) =>
  snapshot.hasTag('loading') && snapshot.context.shown !== undefined
/** Why the query could not be read; shown rows may stand beside it. */
export const selectFailure = <Item>(snapshot: Reading<Item>): Failure | undefined =>
  snapshot.hasTag('loading') ? undefined : snapshot.context.failure
