import {fromPromise, waitFor} from 'xstate'
import {createValueStore} from '#browser/value-store.ts'
import type {Unsent} from '#domain/unsent.ts'
import type {AppActor} from '#machines/app/app.machine.ts'
import {signOutQuestionMachine} from '#machines/sign-out-question/sign-out-question.machine.ts'
import {actorOf} from '../actors.context.tsx'
import {openPart} from '../logic/open-part.ts'
import {openLayer} from '../shell/open-layer.ts'
import {countUnsent, type UnsentRecords} from './count-unsent.ts'

/** Asks before changes of the page are lost; undefined while there are none. */
export const leaveGuard = createValueStore<(() => Promise<boolean>) | undefined>(undefined)

/** Whether the user gives up what no server has. A layer that closes in another way, as with the session, is no yes. */
async function mayDropUnsent(root: AppActor, bulk: UnsentRecords): Promise<boolean> {
  const question = openPart(root.system, 'signOutQuestion', () => ({
    machine: signOutQuestionMachine.provide({
      actors: {countUnsent: fromPromise<Unsent, void>(() => countUnsent(root, bulk))},
    }),
    input: undefined,
  }))
  // there is no session whose end could drop anything
  if (question === undefined) return true
  const counted = await waitFor(question, (snapshot) => !snapshot.matches('counting'))
  if (!counted.matches('asked')) return true
  openLayer.set('signOut')
  const stop = openLayer.subscribe(() => {
    if (openLayer.get() !== 'signOut') question.send({type: 'signOut.stay'})
  })
  const end = await waitFor(question, ({status}) => status === 'done').finally(() => {
    stop()
    if (openLayer.get() === 'signOut') openLayer.set(undefined)
  })
  return end.matches('leaving')
}

/** Signs out, unless the user stays for changes that are not saved, or for what was not sent. */
export async function signOut(root: AppActor, bulk: UnsentRecords): Promise<void> {
  const ask = leaveGuard.get()
  if (ask !== undefined && !(await ask())) return
  // the question ends with its session
  const isLeaving = await mayDropUnsent(root, bulk).catch(() => false)
  if (isLeaving) actorOf(root, 'auth')?.send({type: 'logout.request'})
}
