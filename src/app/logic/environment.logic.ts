import {defer, from, map, merge, mergeMap} from 'rxjs'
import {fromEventObservable} from 'xstate'
import {toFailure} from '#domain/failure.ts'
import {environmentMachine} from '#machines/environment/environment.machine.ts'
import type {EnvironmentEvent, EnvironmentInput} from '#machines/environment/environment.types.ts'
import type {RootDeps} from './root-deps.ts'

export const environmentInput = ({page}: Pick<RootDeps, 'page'>): EnvironmentInput => ({
  isOnline: page.isOnline(),
  isVisible: page.isVisible(),
})

const connection = (isOnline: boolean): EnvironmentEvent => ({
  type: isOnline ? 'connection.restored' : 'connection.lost',
})
const visibility = (isVisible: boolean): EnvironmentEvent => ({type: isVisible ? 'page.shown' : 'page.hidden'})

/** Fills the ports of `environment` with the browser's own events. */
export function createEnvironmentLogic({page, log}: Pick<RootDeps, 'page' | 'log'>) {
  const present$ = defer(() => from([connection(page.isOnline()), visibility(page.isVisible())]))
  return environmentMachine.provide({
    actors: {
      pageEvents: fromEventObservable<EnvironmentEvent, undefined>(() =>
        merge(
          present$,
          page.online$.pipe(map(connection)),
          page.visible$.pipe(map(visibility)),
          page.leaving$.pipe(map((): EnvironmentEvent => ({type: 'page.leaving'}))),
          // a page in the back/forward cache gets no events of the network
          page.restored$.pipe(mergeMap(() => present$)),
        ),
      ),
    },
    actions: {logDeafness: (_, {error}) => log('Network and visibility are not listened to', {...toFailure(error)})},
  })
}
