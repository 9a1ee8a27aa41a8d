import {assign, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import type {Site} from '#contract/management.ts'
import {isRefusal, toFailure, type Failure} from '#domain/failure.ts'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** `origin` is what site calls are made with (domain/site-origin). `restored` is shown until the server answers. */
export type SiteInput = {origin: string; restored?: Site}
export type SiteEvent =
  | {type: 'site.load'}
  /** Creates the site if the server has none for this origin; needs a signed-in user. */
  | {type: 'site.initialize'}
  /** The site was edited and read again. */
  | {type: 'site.changed'; site: Site}
type Context = {origin: string; site?: Site; failure?: Failure}

/** Without the fields for editors: the page keeps its site when a user signs out. */
const publicSite = ({admins: _admins, editable: _editable, metadata: _metadata, ...site}: Site): Site => site

/** On localhost one browser may have known another installation: its site is not this one's. */
const isOf = (origin: string, site: Site | undefined) => !site?.origin || site.origin === origin

/**
 * The site of this origin (spec §3, §4): title, description, keywords, favicon, distribution, enabled tools.
 *
 * A site that cannot be read keeps what was stored. One without an `origin` is initialized on request; a refused
 * initialization asks for a login (spec §7), a server out of reach does not (security R17). Owned by the root.
 */
export const siteMachine = setup({
  types: {
    input: {} as SiteInput,
    context: {} as Context,
    events: {} as SiteEvent,
    tags: {} as 'busy' | 'decided',
  },
  actors: {
    getSite: promisePort<Site | undefined, {origin: string}>('getSite'),
    initializeSite: promisePort<Site, {origin: string}>('initializeSite'),
  },
  delays: {callDeadline: 15_000},
  guards: {
    lacksOrigin: ({context}) => !context.site?.origin,
    isRefusal: (_, {error}: {error: unknown}) => isRefusal(toFailure(error)),
  },
  actions: {
    /** The first item of the list laid over the stored site (contract/startup-auth §2); an empty list knows no site. */
    storeSite: assign(({context}, {site}: {site: Site | undefined}) => ({
      site: site && publicSite({...context.site, ...site}),
      failure: undefined,
    })),
    replaceSite: assign((_, {site}: {site: Site}) => ({site: publicSite(site), failure: undefined})),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    /** Port: title, description, keywords and favicon into the document. */
    applySite: (_, _site: {site: Site | undefined}) => unfilledAction('applySite'),
    /** Port: starts a login. */
    requestLogin: () => unfilledAction('requestLogin'),
  },
}).createMachine({
  id: 'site',
  context: ({input: {origin, restored}}) => ({
    origin,
    site: restored && isOf(origin, restored) ? publicSite(restored) : undefined,
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: ['busy'],
      entry: [{type: 'applySite', params: ({context}) => ({site: context.site})}],
      invoke: {
        id: 'getSite',
        src: 'getSite',
        input: ({context: {origin}}) => ({origin}),
        onDone: {target: 'ready', actions: [{type: 'storeSite', params: ({event}) => ({site: event.output})}]},
        onError: {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {
        callDeadline: {
          target: 'failed',
          actions: [{type: 'storeFailure', params: timeout}],
        },
      },
    },
    ready: {
      tags: ['decided'],
      entry: [{type: 'applySite', params: ({context}) => ({site: context.site})}],
      on: {
        'site.load': {target: 'loading'},
        'site.initialize': {guard: 'lacksOrigin', target: 'initializing'},
        'site.changed': {
          target: 'ready',
          reenter: true,
          actions: [{type: 'replaceSite', params: ({event}) => event}],
        },
      },
    },
    initializing: {
      tags: ['busy'],
      invoke: {
        id: 'initializeSite',
        src: 'initializeSite',
        input: ({context: {origin}}) => ({origin}),
        onDone: {target: 'ready', actions: [{type: 'storeSite', params: ({event}) => ({site: event.output})}]},
        onError: [
          {
            guard: {type: 'isRefusal', params: ({event}) => event},
            target: 'failed',
            actions: [{type: 'storeFailure', params: ({event}) => event}, 'requestLogin'],
          },
          {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
        ],
      },
      after: {
        callDeadline: {
          target: 'failed',
          actions: [{type: 'storeFailure', params: timeout}],
        },
      },
    },
    failed: {
      tags: ['decided'],
      on: {
        'site.load': {target: 'loading'},
        'site.initialize': {guard: 'lacksOrigin', target: 'initializing'},
        'site.changed': {target: 'ready', actions: [{type: 'replaceSite', params: ({event}) => event}]},
      },
    },
  },
})

export type SiteActor = ActorRefFrom<typeof siteMachine>
export type SiteSnapshot = SnapshotFrom<typeof siteMachine>
