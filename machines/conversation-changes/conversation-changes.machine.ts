import {
  assign,
  enqueueActions,
  fromCallback,
  setup,
  type ActorRefFrom,
  type AnyActorRef,
  type EventObject,
} from 'xstate'
import type {ConversationChange} from '#domain/conversation.ts'
import {isRefusal, toFailure} from '#domain/failure.ts'
import type {ConversationListSnapshot} from '#machines/conversation-list/conversation-list.machine.ts'
import {findItem, withoutKeys} from '#machines/conversation-list/conversation-list.rules.ts'
import {findingId, type ConversationsChanged} from '#machines/conversation-list/conversation-list.types.ts'
import {findingMachine, type FindingSettled} from '#machines/conversation-list/finding.machine.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {NoticesActor} from '#machines/notices/notices.machine.ts'
import {changingMachine, type ChangingSettled, type PendingChange} from './changing.machine.ts'
import {
  aboutOf,
  changesBack,
  crossedAfter,
  foundChanges,
  idOf,
  joinedChange,
  nextChanges,
  pendingChanges,
  refusedChanges,
  repeatOf,
  shownChanges,
} from './conversation-changes.rules.ts'
import {
  changingId,
  type ConversationChangesContext,
  type ConversationChangesEvent,
  type ConversationChangesFact,
  type ConversationChangesInput,
  type On,
} from './conversation-changes.types.ts'

type WithList = Pick<ConversationChangesContext, 'list'>
const listed = ({list}: WithList) => list.getSnapshot().context

/** The list is read, or has ended; or a call that failed before can be made again. */
const listFacts = fromCallback<EventObject, WithList>(({sendBack, input: {list}}) => {
  const end = () => sendBack({type: 'list.ended'})
  let reading: AnyActorRef | undefined
  const look = ({children: {pages}}: ConversationListSnapshot) => {
    if (pages === reading) return
    reading = pages
    if (pages !== undefined) sendBack({type: 'list.reading'})
  }
  const connect = () => sendBack({type: 'connection.restored'})
  const {environment} = listed({list})
  const subscriptions = [
    list.subscribe({next: look, complete: end, error: end}),
    environment.on('connection.restored', connect),
    // a server that could not be reached, though there was a network
    environment.on('page.shown', connect),
  ]
  return () => subscriptions.forEach((each) => each.unsubscribe())
})

/** The call is made before the list shows the change: a refusal restores the previous value. */
const change = <Type extends ConversationChangesEvent['type']>(
  changesOf: (args: On<Type>) => readonly ConversationChange[],
) =>
  [
    {type: 'send', params: (args: On<Type>) => ({pending: pendingChanges(listed(args.context), changesOf(args))})},
    {type: 'show', params: (args: On<Type>) => ({changes: changesOf(args)})},
  ] as const

const refusedOf = (context: ConversationChangesContext, settlement: ChangingSettled) =>
  refusedChanges({...context, ...listed(context)}, settlement)
const refused = ({context, event}: On<'changing.settled'>) => ({changes: refusedOf(context, event)})
const found = ({context, event}: On<'conversation.loaded'>) => ({changes: foundChanges(context, event)})
const findCrossed = {
  type: 'findCrossed',
  params: ({context, event}: On<'changing.settled'>) => ({
    crossed: crossedAfter({...context, ...listed(context)}, event),
    keys: event.sent.map(({key}) => key),
  }),
} as const
const sendNext = {
  type: 'send',
  params: ({context, event}: On<'changing.settled'>) => ({
    pending: nextChanges(context, event),
    settled: event.sent.map(({key}) => key),
  }),
} as const

/**
 * The titles and marks that a user gives to conversations of the list: shown at once, here and in the other tabs, sent
 * one change of the same at a time, and brought back where the server refuses. Where another tab changed the same at
 * once, the server is asked which change was the last. A part of the session that the views of
 * the list bring along (decision 114); ends with the list.
 */
export const conversationChangesMachine = setup({
  types: {
    input: {} as ConversationChangesInput,
    context: {} as ConversationChangesContext,
    events: {} as ConversationChangesEvent,
    emitted: {} as ConversationsChanged,
  },
  actors: {changing: changingMachine, finding: findingMachine, listFacts},
  guards: {
    isRenamable: ({context}, {key, title}: {key: string; title: string}) =>
      findItem(listed(context), key)?.id !== undefined && title.trim() !== '',
    offersMarks: ({context}) => listed(context).capabilities.includes('marks'),
    /** A failure that says nothing of what the server has is none. */
    isAnswered: (_, {failure}: FindingSettled) => failure === undefined || isRefusal(failure),
    isTaken: (_, {failure}: ChangingSettled) => failure === undefined,
    isRefused: ({context}, settlement: ChangingSettled) => refusedOf(context, settlement).length > 0,
  },
  actions: {
    /** A key with a change on its way waits. `settled`: keys whose change has just been answered. */
    send: enqueueActions(
      ({enqueue, context, self}, {pending, settled = []}: {pending: readonly PendingChange[]; settled?: string[]}) => {
        const changing = withoutKeys(context.changing, settled)
        const sentChanges = pending.filter((one) => {
          const isFree = !(one.key in changing)
          changing[one.key] = isFree ? null : joinedChange(changing[one.key], one)
          return isFree
        })
        enqueue.assign({changing})
        if (sentChanges.length > 0)
          enqueue.spawnChild('changing', {
            id: changingId(sentChanges.map(({key}) => key).join(' ')),
            input: {
              sent: sentChanges,
              isCompared: settled.length === 0 && listed(context).capabilities.includes('labels'),
              parentRef: self,
            },
          })
      },
    ),
    /** Asks the server for its copy of those of these that crossed, once nothing of it waits any more. */
    findCrossed: enqueueActions(
      ({enqueue, context, self}, {crossed, keys}: {crossed: string[]; keys: readonly string[]}) => {
        const due = keys.filter((key) => crossed.includes(key) && !context.changing[key])
        for (const id of new Set(due.map(idOf))) {
          // what was asked before may be older
          enqueue.stopChild(findingId(id))
          enqueue.spawnChild('finding', {id: findingId(id), input: {key: id, parentRef: self}})
        }
        enqueue.assign({crossed})
      },
    ),
    /** A reading may bring what the server had before it took these: the list shows them whatever that brings. */
    keepSent: enqueueActions(({enqueue, context, self}) => {
      const sentChanges = Object.entries(self.getSnapshot().children).flatMap(([id, child]) => {
        if (!id.startsWith(changingId(''))) return []
        // as: changes give these ids to their calls alone
        const call = (child as ActorRefFrom<typeof changingMachine>).getSnapshot()
        return call.status === 'active' ? call.context.sent : []
      })
      const changes = shownChanges({...context, ...listed(context)}, sentChanges)
      if (changes.length > 0) enqueue.sendTo(context.list, {type: 'conversations.changed', changes})
    }),
    forgetCrossed: assign(({context: {changing, crossed}}, {key: id}: {key: string}) => ({
      crossed: crossed.filter((key) => key in changing || !key.endsWith(`:${id}`)),
    })),
    /** In the list, and in other tabs as far as the server has the conversations. */
    show: enqueueActions(({enqueue, context}, {changes}: {changes: readonly ConversationChange[]}) => {
      const serverChanges = pendingChanges(listed(context), changes).map(({change}) => change)
      if (serverChanges.length > 0) enqueue.emit({type: 'conversations.changed', changes: serverChanges})
      enqueue.sendTo(context.list, {type: 'conversations.changed', changes: [...changes]})
    }),
    /** To other tabs, as far as the list shows it: one that read its list meanwhile has what was there before. */
    tellSent: enqueueActions(({enqueue, context}, {sent}: ChangingSettled) => {
      const changes = shownChanges({...context, ...listed(context)}, sent)
      if (changes.length > 0) enqueue.emit({type: 'conversations.changed', changes})
    }),
    offerBack: enqueueActions(({enqueue, context}, {changes, textId, back}: On<'conversations.mark'>['event']) => {
      if (textId === undefined) return
      const undone = back ?? changesBack(listed(context), changes)
      enqueue.sendTo(context.parentRef, {
        type: 'list.undoable',
        about: aboutOf(pendingChanges(listed(context), undone)),
        textId,
        count: undone.length,
        undo: {type: 'conversations.mark', changes: undone},
      })
    }),
    /** The same is changed once more: a notice of the change before is past. */
    dropNotice: enqueueActions(({enqueue, context, system}, {changes}: {changes: readonly ConversationChange[]}) => {
      const notices = findActor<NoticesActor>(system, 'notices')
      const id = aboutOf(pendingChanges(listed(context), changes))
      if (notices !== undefined) enqueue.sendTo(notices, {type: 'notice.dismiss', id})
    }),
    reportFailure: enqueueActions(
      ({enqueue, context}, fact: Omit<Extract<ConversationChangesFact, {type: 'list.failed'}>, 'type'>) => {
        enqueue.sendTo(context.parentRef, {type: 'list.failed', ...fact})
      },
    ),
    /** As if it had not been sent. */
    forget: assign(({context: {changing}}, {actorId}: {actorId: string}) => ({
      changing: withoutKeys(changing, actorId.slice(changingId('').length).split(' ')),
    })),
  },
}).createMachine({
  id: 'conversationChanges',
  context: ({input}) => ({...input, changing: {}, crossed: []}),
  initial: 'open',
  states: {
    open: {
      invoke: {id: 'listFacts', src: 'listFacts', input: ({context: {list}}) => ({list}), onError: {target: 'over'}},
      on: {
        'conversation.rename': {
          guard: {type: 'isRenamable', params: ({event}) => event},
          actions: [
            {type: 'dropNotice', params: ({event: {key, title}}) => ({changes: [{key, title}]})},
            ...change(({event: {key, title}}: On<'conversation.rename'>) => [{key, title: title.trim()}]),
          ],
        },
        'conversations.mark': {
          guard: 'offersMarks',
          actions: [
            {type: 'dropNotice', params: ({event}) => event},
            {type: 'offerBack', params: ({event}) => event},
            ...change(({event}: On<'conversations.mark'>) => event.changes),
          ],
        },
        'changing.settled': [
          {
            guard: {type: 'isRefused', params: ({event}) => event},
            actions: [
              {type: 'show', params: refused},
              {
                type: 'reportFailure',
                params: ({context, event}) => ({
                  about: aboutOf(event.sent),
                  kind: refusedOf(context, event).some((change) => 'title' in change) ? 'rename' : 'mark',
                  failure: toFailure(event.failure),
                  again: repeatOf(event, refusedOf(context, event)),
                }),
              },
              findCrossed,
              sendNext,
            ],
          },
          {
            guard: {type: 'isTaken', params: ({event}) => event},
            actions: [{type: 'tellSent', params: ({event}) => event}, findCrossed, sendNext],
          },
          {actions: [findCrossed, sendNext]},
        ],
        'conversation.loaded': {actions: [{type: 'show', params: found}]},
        'finding.settled': {
          guard: {type: 'isAnswered', params: ({event}) => event},
          actions: [{type: 'forgetCrossed', params: ({event}) => event}],
        },
        'connection.restored': {
          actions: [{type: 'findCrossed', params: ({context: {crossed}}) => ({crossed, keys: crossed})}],
        },
        'list.reading': {actions: ['keepSent']},
        'list.ended': {target: 'over'},
        'xstate.error.actor.*': {actions: [{type: 'forget', params: ({event}) => event}]},
      },
    },
    over: {type: 'final'},
  },
})

export type ConversationChangesActor = ActorRefFrom<typeof conversationChangesMachine>
