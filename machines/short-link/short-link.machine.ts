import {assign, setup, type SnapshotFrom} from 'xstate'
import {
  environmentChanges,
  environmentInvoke,
  type EnvironmentActor,
} from '#machines/environment/environment.machine.ts'
import {promisePort} from '#machines/lib/ports.ts'

/** `address`: the long link, which always works. */
type ShortLinkInput = {address: string; environment: EnvironmentActor}
export type ShortLinkEvent = {type: 'link.shorten'} | {type: 'connection.restored'}

/**
 * The short form of a link (contract/platform §3, 46). Owned by the page that shows the link, ends with the short form.
 * Without it the long link is used.
 */
export const shortLinkMachine = setup({
  types: {
    input: {} as ShortLinkInput,
    context: {} as ShortLinkInput & {short?: string},
    events: {} as ShortLinkEvent,
  },
  actors: {
    environmentChanges,
    shortenLink: promisePort<string, {address: string}>('shortenLink'),
  },
  // the long link is shown after this time
  delays: {callDeadline: 5_000},
  actions: {storeShort: assign((_, {output}: {output: string}) => ({short: output}))},
}).createMachine({
  id: 'shortLink',
  context: ({input}) => input,
  invoke: environmentInvoke,
  initial: 'shortening',
  states: {
    shortening: {
      invoke: {
        id: 'shortenLink',
        src: 'shortenLink',
        input: ({context: {address}}) => ({address}),
        onDone: {target: 'short', actions: [{type: 'storeShort', params: ({event}) => event}]},
        onError: {target: 'long'},
      },
      after: {callDeadline: {target: 'long'}},
    },
    long: {on: {'link.shorten': {target: 'shortening'}, 'connection.restored': {target: 'shortening'}}},
    short: {type: 'final'},
  },
})

export type ShortLinkSnapshot = SnapshotFrom<typeof shortLinkMachine>

/** The link to copy and share, at any time. */
export const selectLink = ({context: {short, address}}: ShortLinkSnapshot): string => short ?? address
