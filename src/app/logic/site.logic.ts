import {enqueueActions, fromPromise} from 'xstate'
import type {Site} from '#contract/management.ts'
import type {AuthActor} from '#machines/auth/auth.machine.ts'
import {siteMachine} from '#machines/site/site.machine.ts'
import type {RootDeps} from './root-deps.ts'
import type {Services} from './services.ts'

/** Fills the ports of `site`: the sites API and the document's head. */
export function createSiteLogic({page}: RootDeps, {management}: Services, auth: () => AuthActor | undefined) {
  return siteMachine.provide({
    actors: {
      getSite: fromPromise<Site | undefined, {origin: string}>(({input, signal}) =>
        management.sites.findByOrigin(input.origin, signal),
      ),
      initializeSite: fromPromise<Site, {origin: string}>(({input, signal}) =>
        management.sites.initialize(input.origin, signal),
      ),
    },
    actions: {
      applySite: (_, {site}) => page.setSite(site ?? {}),
      // never `send` inside an action: the other actor would run within it, and its own actions warn of that
      requestLogin: enqueueActions(({enqueue}) => {
        const actor = auth()
        if (actor !== undefined) enqueue.sendTo(actor, {type: 'login.request'})
      }),
    },
  })
}
