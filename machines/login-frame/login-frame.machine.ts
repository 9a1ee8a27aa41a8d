import {assign, setup} from 'xstate'

export type LoginFrameEvent =
  /** The frame shows a page: the login page, or a browser's error page. */
  | {type: 'frame.loaded'}
  /** The user loads the page again. */
  | {type: 'frame.reload'}

type Context = {
  /** Number of this load, from 0. */
  attempt: number
}

/**
 * The embedded login page while it loads. A frame does not report failed loads: a page that takes longer than a user
 * waits in silence is slow (screens.md §14). Owned by the view that waits, ends with it.
 */
export const loginFrameMachine = setup({
  types: {context: {} as Context, events: {} as LoginFrameEvent},
  delays: {patience: 10_000},
  actions: {countAttempt: assign({attempt: ({context}) => context.attempt + 1})},
}).createMachine({
  id: 'loginFrame',
  context: {attempt: 0},
  initial: 'loading',
  on: {'frame.reload': {target: '.loading', reenter: true, actions: ['countAttempt']}},
  states: {
    loading: {on: {'frame.loaded': {target: 'loaded'}}, after: {patience: {target: 'slow'}}},
    slow: {on: {'frame.loaded': {target: 'loaded'}}},
    loaded: {},
  },
})
