import {assign, enqueueActions, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'

/** An event for an actor of the system. Plain data, so that it survives a snapshot. */
export type NoticeAct = {
  to: string
  event: {type: string; key?: string; title?: string; keys?: readonly string[]; changes?: readonly unknown[]}
}
export type Notice = {
  id: string
  kind: 'info' | 'success' | 'warning' | 'error'
  /** Message id and its values. */
  textId: string
  values?: Record<string, string | number>
  /** Takes back what it tells of. */
  undo?: NoticeAct
  /** Does once more what it tells has failed. */
  again?: NoticeAct
  /** The page that it tells of. */
  href?: string
  /** The page is to be loaded again for it. */
  reloads?: boolean
  /** Milliseconds on screen; default 5 s, 8 s with `undo`, a minute with `again`. */
  duration?: number
}
/** `id`: of one that it replaces, or that is known by it. */
export type NewNotice = Omit<Notice, 'id'> & {id?: string}
export type NoticesEvent =
  | {type: 'notice.show'; notice: Notice}
  | {type: 'notice.dismiss'; id: string}
  /** The view of the notices is on screen. */
  | {type: 'view.shown'}
  /** The user sends away the card that stands for the view, which did not come. */
  | {type: 'view.dismiss'}
  /** There is a network again, as far as the browser knows. */
  | {type: 'connection.restored'}
  /** Takes back what the notice tells of, or does it once more. */
  | {type: 'notice.act'; id: string}
  /** Either one holds all notices while it is there; a menu before them counts as the pointer. */
  | {type: 'pointer.entered'}
  | {type: 'pointer.left'}
  | {type: 'focus.entered'}
  | {type: 'focus.left'}
  /** A session ended: what is shown, or can be taken back, belongs to the user who left; a new build to nobody. */
  | {type: 'notices.clear'}
  | {type: 'notice.expired'; id: string}
/** The root gives the event to the actor. */
export type NoticesEmitted = {type: 'act.requested'; act: NoticeAct}

const most = 3
const timerOf = (id: string) => `expiry/${id}`
const durationOf = ({duration, undo, again}: Notice) => duration ?? (again ? 60_000 : undo ? 8_000 : 5_000)

const offersNothing = ({undo, again}: Notice) => !undo && !again

/**
 * The newest ones: the oldest without an offer gives way first; an offer gives way to offers alone, so that the newest
 * without one stands beside three of them. A new build, told once, is not counted.
 */
const fitting = (notices: Notice[]): Notice[] => {
  const older = notices.filter(({reloads}) => !reloads).slice(0, -1)
  const leaving = older.find(offersNothing) ?? (notices.slice(-1).some(offersNothing) ? undefined : older[0])
  return older.length < most || leaving === undefined
    ? notices
    : fitting(notices.filter((notice) => notice !== leaving))
}

/**
 * Toasts (expectations §3): at most three, and one beside three offers. Each has a deadline, which begins anew when
 * neither the pointer nor the focus is on them. The same id replaces. Owned by the root.
 *
 * `waiting`: their view is still being loaded, which may take until there is a network again; no deadline runs. `away`:
 * it did not come, and its card was sent away with them; the next notice, or a network, has it loaded anew.
 */
export const noticesMachine = setup({
  types: {
    context: {} as {notices: Notice[]},
    events: {} as NoticesEvent,
    emitted: {} as NoticesEmitted,
  },
  guards: {
    isEmpty: ({context}) => context.notices.length === 0,
  },
  actions: {
    add: assign(({context}, {notice}: {notice: Notice}) => ({
      notices: fitting([...context.notices.filter(({id}) => id !== notice.id), notice]),
    })),
    /** Deadlines begin anew. That of a removed notice still passes, and removes nothing. */
    startTimers: enqueueActions(({enqueue}, {notices}: {notices: readonly Notice[]}) => {
      for (const notice of notices) {
        enqueue.cancel(timerOf(notice.id))
        enqueue.raise({type: 'notice.expired', id: notice.id}, {id: timerOf(notice.id), delay: durationOf(notice)})
      }
    }),
    remove: assign(({context}, {id}: {id: string}) => ({
      notices: context.notices.filter((notice) => notice.id !== id),
    })),
    clear: assign(({context}) => ({notices: context.notices.filter(({reloads}) => reloads)})),
    emitAct: enqueueActions(({enqueue, context}, {id}: {id: string}) => {
      const notice = context.notices.find((each) => each.id === id)
      const act = notice?.undo ?? notice?.again
      if (act) enqueue.emit({type: 'act.requested', act})
    }),
  },
}).createMachine({
  id: 'notices',
  context: {notices: []},
  initial: 'empty',
  states: {
    empty: {
      on: {'notice.show': {target: 'waiting', actions: [{type: 'add', params: ({event}) => event}]}},
    },
    waiting: {
      always: {guard: 'isEmpty', target: 'empty'},
      on: {
        'notice.show': {actions: [{type: 'add', params: ({event}) => event}]},
        'view.shown': {target: 'shown'},
        'view.dismiss': {target: 'away', actions: ['clear']},
      },
    },
    away: {
      always: {guard: 'isEmpty', target: 'empty'},
      on: {
        'notice.show': {target: 'waiting', actions: [{type: 'add', params: ({event}) => event}]},
        'connection.restored': {target: 'waiting'},
      },
    },
    shown: {
      initial: 'leaving',
      always: {guard: 'isEmpty', target: 'empty'},
      states: {
        leaving: {
          entry: [{type: 'startTimers', params: ({context}) => context}],
          on: {
            'notice.show': {
              actions: [
                {type: 'add', params: ({event}) => event},
                {type: 'startTimers', params: ({event}) => ({notices: [event.notice]})},
              ],
            },
            'notice.expired': {actions: [{type: 'remove', params: ({event}) => event}]},
            'pointer.entered': {target: 'held.byPointer'},
            'focus.entered': {target: 'held.byFocus'},
          },
        },
        held: {
          on: {'notice.show': {actions: [{type: 'add', params: ({event}) => event}]}},
          initial: 'byPointer',
          states: {
            byPointer: {on: {'pointer.left': {target: '#notices.shown.leaving'}, 'focus.entered': {target: 'byBoth'}}},
            byFocus: {on: {'focus.left': {target: '#notices.shown.leaving'}, 'pointer.entered': {target: 'byBoth'}}},
            byBoth: {on: {'pointer.left': {target: 'byFocus'}, 'focus.left': {target: 'byPointer'}}},
          },
        },
      },
    },
  },
  on: {
    'notice.dismiss': {actions: [{type: 'remove', params: ({event}) => event}]},
    'notice.act': {
      actions: [
        {type: 'emitAct', params: ({event}) => event},
        {type: 'remove', params: ({event}) => event},
      ],
    },
    'notices.clear': {actions: ['clear']},
  },
})

export type NoticesActor = ActorRefFrom<typeof noticesMachine>
export type NoticesSnapshot = SnapshotFrom<typeof noticesMachine>
