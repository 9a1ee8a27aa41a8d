import {assign, fromCallback, setup, type SnapshotFrom} from 'xstate'
import type {
  ConversationListActor,
  ConversationListSnapshot,
} from '#machines/conversation-list/conversation-list.machine.ts'
import {keyOf} from '#machines/conversation-list/conversation-list.rules.ts'
import {selectIsGone, selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {without} from '#machines/lib/keys.ts'

/** `names`: of one or several conversations, by key or the server's id. */
type DeletionWatchInput = {list: ConversationListActor; names: readonly string[]}

/** The names of listed conversations, and of conversations that another tab or device has deleted. */
export type DeletionWatchEvent = {type: 'names.seen'; listed: readonly string[]; deleted: readonly string[]}

type Context = DeletionWatchInput & {
  /** Names that the list has had, without those that are deleted. */
  remaining: readonly string[]
}

/** As `selectIsGone`, but not while it is this page that deletes it and offers to undo that. */
const isDeletedElsewhere = (snapshot: ConversationListSnapshot, name: string) =>
  selectIsGone(snapshot, name) && !snapshot.context.undoable.includes(keyOf(snapshot.context, name))

const seenNames = fromCallback<DeletionWatchEvent, DeletionWatchInput>(({sendBack, input: {list, names}}) => {
  const look = () => {
    const snapshot = list.getSnapshot()
    const deletedNames = names.filter((name) => isDeletedElsewhere(snapshot, name))
    const listedNames = without(names, ...deletedNames).filter((name) => selectItem(snapshot, name) !== undefined)
    sendBack({type: 'names.seen', listed: listedNames, deleted: deletedNames})
  }
  look()
  const subscription = list.subscribe(look)
  return () => subscription.unsubscribe()
})

const remainingAfter = ({remaining}: Pick<Context, 'remaining'>, {listed, deleted}: DeletionWatchEvent) =>
  without([...new Set([...remaining, ...listed])], ...deleted)

/**
 * Whether the conversations that an open dialog or editor is about are deleted in another tab or on another device. A
 * list that could not be read says of none that it is deleted, and one that it never had is not missed. Owned by what
 * is open; `deleted` once none of them remains.
 */
export const deletionWatchMachine = setup({
  types: {input: {} as DeletionWatchInput, context: {} as Context, events: {} as DeletionWatchEvent},
  actors: {seenNames},
  guards: {
    isLast: ({context}, facts: DeletionWatchEvent) =>
      context.remaining.length > 0 && remainingAfter(context, facts).length === 0,
  },
  actions: {
    store: assign(({context}, facts: DeletionWatchEvent) => ({remaining: remainingAfter(context, facts)})),
  },
}).createMachine({
  id: 'deletionWatch',
  context: ({input}) => ({...input, remaining: []}),
  invoke: {
    id: 'seenNames',
    src: 'seenNames',
    input: ({context: {list, names}}) => ({list, names}),
    // subscribing to a ref cannot fail
    onError: {},
  },
  initial: 'watching',
  states: {
    watching: {
      on: {
        'names.seen': [
          {guard: {type: 'isLast', params: ({event}) => event}, target: 'deleted'},
          {actions: [{type: 'store', params: ({event}) => event}]},
        ],
      },
    },
    deleted: {type: 'final'},
  },
})

export type DeletionWatchSnapshot = SnapshotFrom<typeof deletionWatchMachine>
