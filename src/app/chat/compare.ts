import type {AnyRouter} from '@tanstack/react-router'
import {Observable} from 'rxjs'
import {enqueueActions, fromEventObservable} from 'xstate'
import {toFailure} from '#domain/failure.ts'
import type {Log} from '#domain/log.ts'
import {isSameData} from '#domain/same-data.ts'
import {comparisonHref} from '#features/chat/compare/compare-entry.ts'
import {compareMachine, isRunning, mostColumns} from '#machines/compare/compare.machine.ts'
import {columnOf} from '#machines/compare/compare.selectors.ts'
import type {Column, ColumnsSeen, ComparisonOpen, SeenColumn} from '#machines/compare/compare.types.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectConversation, selectStatus} from '#machines/conversation-list/conversation-list.selectors.ts'
import {keep, type AnswerTime, type createAnswerTimes, type KeptState} from './kept-comparison.ts'

/** The conversations that an address names, each once. */
export const namesIn = (search: string | readonly string[] | undefined): string[] =>
  [...new Set([search ?? []].flat())].slice(0, mostColumns)

/**
 * Puts the conversations on screen and reports how they stand, until it is left. Each is opened, with the others beside
 * it: one that the list lacks is asked for, again whenever the list was read.
 */
const watchColumns = (
  list: ConversationListActor,
  names: readonly string[],
  {now, times}: Pick<ComparePage, 'now' | 'times'>,
) =>
  new Observable<ColumnsSeen>((observer) => {
    const subscriptions = new Map<object, {unsubscribe: () => void}>()
    let reported: SeenColumn[] = []
    let isDue = false
    let isOver = false
    const openAll = () => {
      // the first is the last to be opened
      for (const name of names.toReversed())
        list.send({type: 'conversation.open', key: name, beside: names.filter((other) => other !== name)})
    }
    const report = () => {
      isDue = false
      if (isOver) return
      const snapshot = list.getSnapshot()
      const columns = names.map((name) => {
        const column = columnOf(snapshot, name)
        if (isRunning(column)) return column
        const took = times.read(column.id ?? name, column.answer)
        return took === undefined ? column : {...column, took}
      })
      if (isSameData(columns, reported)) return
      reported = columns
      observer.next({type: 'columns.seen', at: now(), columns})
    }
    /** Once the list has taken what was sent to it. */
    const look = () => {
      if (isDue) return
      isDue = true
      void Promise.resolve().then(report)
    }
    const follow = () => {
      const snapshot = list.getSnapshot()
      for (const name of names) {
        const conversation = selectConversation(snapshot, name)
        if (conversation !== undefined && !subscriptions.has(conversation))
          subscriptions.set(conversation, conversation.subscribe(look))
      }
      look()
    }
    let status = selectStatus(list.getSnapshot())
    times.load()
    const listening = list.subscribe({
      next: (snapshot) => {
        const before = status
        status = selectStatus(snapshot)
        if (status !== before && status !== 'request') openAll()
        follow()
      },
      complete: () => observer.complete(),
    })
    openAll()
    follow()
    return () => {
      isOver = true
      listening.unsubscribe()
      for (const subscription of subscriptions.values()) subscription.unsubscribe()
      // outside the chat no conversation is on screen
      if (list.getSnapshot().status === 'active') list.send({type: 'conversation.close'})
    }
  })

/** The router reads texts alone (plain-search.ts). */
type Search = {with?: string | string[]}
const openedBy = (search: Search): ComparisonOpen => ({type: 'comparison.open', names: namesIn(search.with)})

/** Emits the conversations that the address of this page names, whenever it changes; not those of the next page. */
export const addressesOf = (router: AnyRouter) =>
  new Observable<ComparisonOpen>((observer) => {
    const {pathname} = router.state.location
    return router.subscribe('onResolved', ({toLocation}) => {
      if (toLocation.pathname === pathname) observer.next(openedBy(toLocation.search))
    })
  })

/**
 * Puts the compared conversations into the address of the page; a comparison is kept as the last one. Another name of
 * the same conversation replaces the entry of the history: it is no step of its own.
 */
export const showNamesIn = (state: KeptState, router: Pick<AnyRouter, 'navigate'>) => (names: string[]) => {
  if (names.length > 0) keep(state, {last: names})
  const href = comparisonHref(names)
  if (href === location.pathname + location.search) return
  const isNamed = names.length > 0 && location.search !== ''
  void router.navigate({href, replace: isNamed})
}

const timeOf = ({name, id, answer, took}: Column): AnswerTime[] =>
  took === undefined || answer === undefined ? [] : [{name: id ?? name, answer, took}]

type ComparePage = {
  addresses: Observable<ComparisonOpen>
  /** Puts these names into the address. */
  showNames: (names: string[]) => void
  times: ReturnType<typeof createAnswerTimes>
  /** Unix milliseconds, by the clock that questions are stamped with. */
  now: () => number
  log: Log
}

/** The chart of a comparison over the conversations of a user. */
export const createCompareLogic = (list: ConversationListActor, {addresses, showNames, times, now, log}: ComparePage) =>
  compareMachine.provide({
    actors: {
      addresses: fromEventObservable(() => addresses),
      columns: fromEventObservable<ColumnsSeen, {names: string[]}>(({input}) =>
        watchColumns(list, input.names, {now, times}),
      ),
    },
    // enqueued, never sent inside an action: the actions of the conversations would run within it
    actions: {
      createColumns: enqueueActions(({enqueue}, items) => {
        for (const {column, beside, question, references, sizes, at} of items)
          enqueue.sendTo(list, {
            type: 'conversation.create',
            key: column.name,
            model: column.model,
            beside: beside.filter((name) => name !== column.name),
            prompt: {type: 'prompt.submit', question, references, sizes, key: column.key, at},
          })
      }),
      askColumns: enqueueActions(({enqueue}, items) => {
        // an address may name one conversation by its key and by its id: it is asked and charged once
        const askedConversations = new Set<object>()
        for (const {name, ...ask} of items) {
          const conversation = selectConversation(list.getSnapshot(), name)
          if (conversation === undefined || askedConversations.has(conversation)) continue
          askedConversations.add(conversation)
          enqueue.sendTo(conversation, {type: 'prompt.submit', ...ask})
        }
      }),
      stopColumns: enqueueActions(({enqueue}, names) => {
        for (const name of names) {
          const conversation = selectConversation(list.getSnapshot(), name)
          if (conversation !== undefined) enqueue.sendTo(conversation, {type: 'answer.stop'})
        }
      }),
      retryColumn: enqueueActions(({enqueue}, {name, key, at}) => {
        const conversation = selectConversation(list.getSnapshot(), name)
        if (conversation !== undefined) enqueue.sendTo(conversation, {type: 'answer.retry', key, at})
      }),
      showNames: (_, {names}) => showNames(names),
      keepTimes: (_, columns) => times.keep(columns.flatMap(timeOf)),
      logFailure: (_, {error}) => log('A comparison is not kept up to date', {...toFailure(error)}),
    },
  })
