import {assign, cancel, enqueueActions, raise, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'

/** What can be taken back: an event for an actor of the system. Plain data, so that it survives a snapshot. */
export type NoticeUndo = {
  to: string
  event: {type: string; key?: string; keys?: readonly string[]; changes?: readonly unknown[]}
}
export type Notice = {
  id: string
  kind: 'info' | 'success' | 'warning' | 'error'
  /** Message id and its values. */
  textId: string
  values?: Record<string, string | number>
  undo?: NoticeUndo
  /** The page that it tells of. */
  href?: string
  /** The page is to be loaded again for it. */
  reloads?: boolean
  /** Milliseconds on screen; default 5 s, 8 s with undo. */
  duration?: number
}
/** `id`: of one that it replaces, or that is known by it. */
export type NewNotice = Omit<Notice, 'id'> & {id?: string}
export type NoticesEvent =
  | {type: 'notice.show'; notice: Notice}
  | {type: 'notice.dismiss'; id: string}
  /** Takes back what the notice tells of. */
  | {type: 'notice.undo'; id: string}
  /** The pointer or the focus is on the notices: none disappears. */
  | {type: 'notices.pause'}
  | {type: 'notices.resume'}
  /** A session ended: what is shown, or can be taken back, belongs to the user who left. */
  | {type: 'notices.clear'}
  | {type: 'notice.expired'; id: string}
/** The root gives the event to the actor. */
export type NoticesEmitted = {type: 'undo.requested'; undo: NoticeUndo}

const most = 3
const timerOf = (id: string) => `expiry/${id}`
const durationOf = ({duration, undo}: Notice) => duration ?? (undo ? 8_000 : 5_000)

/**
 * Toasts (expectations §3): at most three, the oldest gives way; each has a deadline that pauses under the pointer.
 * The same id replaces. Owned by the root.
 */
export const noticesMachine = setup({
  types: {
    context: {} as {notices: Notice[]},
    events: {} as NoticesEvent,
    emitted: {} as NoticesEmitted,
  },
  guards: {
    isLast: ({context}, {id}: {id: string}) => context.notices.every((notice) => notice.id === id),
    isShown: ({context}, {id}: {id: string}) => context.notices.some((notice) => notice.id === id),
  },
  actions: {
    add: enqueueActions(({enqueue, context}, {notice}: {notice: Notice}) => {
      const others = context.notices.filter(({id}) => id !== notice.id)
      const overflow = others.slice(0, Math.max(0, others.length - most + 1))
      for (const {id} of [...overflow, notice]) enqueue.cancel(timerOf(id))
      enqueue.assign({notices: [...others.slice(overflow.length), notice]})
    }),
    startTimer: enqueueActions(({enqueue}, {notice}: {notice: Notice}) => {
      enqueue.raise({type: 'notice.expired', id: notice.id}, {id: timerOf(notice.id), delay: durationOf(notice)})
    }),
    remove: assign(({context}, {id}: {id: string}) => ({
      notices: context.notices.filter((notice) => notice.id !== id),
    })),
    cancelTimer: cancel((_, {id}: {id: string}) => timerOf(id)),
    stopTimers: enqueueActions(({enqueue, context}) => {
      for (const {id} of context.notices) enqueue.cancel(timerOf(id))
    }),
    startTimers: enqueueActions(({enqueue, context}) => {
      for (const notice of context.notices)
        enqueue.raise({type: 'notice.expired', id: notice.id}, {id: timerOf(notice.id), delay: durationOf(notice)})
    }),
    clear: assign({notices: []}),
    emitUndo: enqueueActions(({enqueue, context}, {id}: {id: string}) => {
      const undo = context.notices.find((notice) => notice.id === id)?.undo
      if (undo) enqueue.emit({type: 'undo.requested', undo})
    }),
  },
}).createMachine({
  id: 'notices',
  context: {notices: []},
  initial: 'empty',
  states: {
    empty: {
      on: {
        'notice.show': {
          target: 'showing',
          actions: [
            {type: 'add', params: ({event}) => event},
            {type: 'startTimer', params: ({event}) => event},
          ],
        },
      },
    },
    showing: {
      on: {
        'notice.show': {
          actions: [
            {type: 'add', params: ({event}) => event},
            {type: 'startTimer', params: ({event}) => event},
          ],
        },
        'notices.pause': {target: 'paused', actions: ['stopTimers']},
      },
    },
    paused: {
      on: {
        'notice.show': {actions: [{type: 'add', params: ({event}) => event}]},
        'notices.resume': {target: 'showing', actions: ['startTimers']},
      },
    },
  },
  on: {
    'notice.expired': [
      {
        guard: {type: 'isLast', params: ({event}) => event},
        target: '.empty',
        actions: [{type: 'remove', params: ({event}) => event}],
      },
      {actions: [{type: 'remove', params: ({event}) => event}]},
    ],
    'notice.dismiss': [
      {
        guard: {type: 'isLast', params: ({event}) => event},
        target: '.empty',
        actions: [
          {type: 'cancelTimer', params: ({event}) => event},
          {type: 'remove', params: ({event}) => event},
        ],
      },
      {
        actions: [
          {type: 'cancelTimer', params: ({event}) => event},
          {type: 'remove', params: ({event}) => event},
        ],
      },
    ],
    'notice.undo': {
      guard: {type: 'isShown', params: ({event}) => event},
      actions: [
        {type: 'emitUndo', params: ({event}) => event},
        raise(({event}) => ({type: 'notice.dismiss' as const, id: event.id})),
      ],
    },
    'notices.clear': {target: '.empty', actions: ['stopTimers', 'clear']},
  },
})

export type NoticesActor = ActorRefFrom<typeof noticesMachine>
export type NoticesSnapshot = SnapshotFrom<typeof noticesMachine>
