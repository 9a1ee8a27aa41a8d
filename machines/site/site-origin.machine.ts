import {assign, enqueueActions, setup} from 'xstate'
import {toFailure, type Failure} from '#domain/failure.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {watchSite, type SiteDecided} from './site-decision.ts'
import type {SiteActor} from './site.machine.ts'

/** `hadOrigin`: nothing was made. `failure`: the site still has no origin. */
export type SiteOriginOutput = {hadOrigin: boolean; failure?: Failure}

const originSetup = setup({
  types: {context: {} as SiteOriginOutput, events: {} as SiteDecided, output: {} as SiteOriginOutput},
  actors: {watchSite},
  delays: {callDeadline: 15_000},
  guards: {hasOrigin: (_, {hasOrigin}: {hasOrigin: boolean}) => hasOrigin},
  actions: {
    storeMade: assign({hadOrigin: false}),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    initializeSite: enqueueActions(({enqueue, system}) => {
      const site = findActor<SiteActor>(system, 'site')
      if (site !== undefined) enqueue.sendTo(site, {type: 'site.initialize'})
    }),
  },
})

const watching = originSetup.createStateConfig({
  invoke: {
    id: 'watchSite',
    src: 'watchSite',
    onError: {target: 'done', actions: [{type: 'storeFailure', params: ({event}) => event}]},
  },
  after: {callDeadline: {target: 'done', actions: [{type: 'storeFailure', params: timeout}]}},
})

/**
 * Gives the site an origin if it has none: waits until the actor `site` has read it, and asks that actor to make it.
 * Invoked by charts that know of a signed-in user (`startup`, `auth`). Its output says what came of it.
 */
export const siteOriginMachine = originSetup.createMachine({
  id: 'siteOrigin',
  context: {hadOrigin: true},
  output: ({context}) => context,
  initial: 'reading',
  states: {
    reading: {
      ...watching,
      on: {
        'site.decided': [
          {guard: {type: 'hasOrigin', params: ({event}) => event}, target: 'done'},
          {target: 'initializing', actions: ['storeMade']},
        ],
      },
    },
    initializing: {
      ...watching,
      entry: ['initializeSite'],
      on: {
        'site.decided': [
          {guard: {type: 'hasOrigin', params: ({event}) => event}, target: 'done'},
          {
            target: 'done',
            actions: [
              {
                type: 'storeFailure',
                params: ({event}) => ({error: event.failure ?? {code: 'unknown', detail: 'The site has no origin.'}}),
              },
            ],
          },
        ],
      },
    },
    done: {type: 'final'},
  },
})
