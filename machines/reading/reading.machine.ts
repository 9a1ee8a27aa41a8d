import {assign, setup, type ActorRefFrom} from 'xstate'

export type ReadingEvent =
  | {type: 'find.open'}
  /** A hit of the list's search was followed, whose words the conversation has several times. `from`: its row. */
  | {type: 'hit.follow'; query: string; from: number}
  | {type: 'outline.open'}
  | {type: 'panel.close'}
  /** `from`: the first row in view, where the search begins. */
  | {type: 'query.change'; query: string; from: number}
  /** `match`: number of a match, from 0 over the whole conversation. */
  | {type: 'match.choose'; match: number}

type Search = {
  query: string
  from: number
  /** The chosen match; until one is chosen, the first from `from` on is shown. */
  match: number | undefined
}

/**
 * The panel over a thread for its reader: none, the field that finds words in it, or the list of its questions. Owned
 * by the thread, ends with it. The view derives the matches from the query and the messages.
 */
export const readingMachine = setup({
  types: {context: {} as Search, events: {} as ReadingEvent},
  actions: {
    storeQuery: assign((_, {query, from}: Pick<Search, 'query' | 'from'>) => ({query, from, match: undefined})),
    storeMatch: assign((_, {match}: {match: number}) => ({match})),
    clearSearch: assign({query: '', from: 0, match: undefined}),
  },
}).createMachine({
  id: 'reading',
  context: {query: '', from: 0, match: undefined},
  initial: 'closed',
  on: {
    'find.open': {target: '.finding'},
    'outline.open': {target: '.outlining'},
    'hit.follow': {target: '.finding.led', actions: [{type: 'storeQuery', params: ({event}) => event}]},
  },
  states: {
    closed: {},
    finding: {
      exit: ['clearSearch'],
      on: {
        // a second request keeps the query
        'find.open': {target: '.asked'},
        'panel.close': {target: 'closed'},
        'query.change': {actions: [{type: 'storeQuery', params: ({event}) => event}]},
        'match.choose': {actions: [{type: 'storeMatch', params: ({event}) => event}]},
      },
      initial: 'asked',
      states: {
        asked: {},
        led: {description: 'A hit led here: on touch its field waits for a tap, or the keyboard would cover the hit.'},
      },
    },
    outlining: {on: {'panel.close': {target: 'closed'}}},
  },
})

export type ReadingActor = ActorRefFrom<typeof readingMachine>
