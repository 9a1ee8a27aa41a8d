import {createValueStore} from '#browser/value-store.ts'
import type {AuthActor} from '#machines/auth/auth.machine.ts'

/** Asks before changes of the page are lost; undefined while there are none. */
export const leaveGuard = createValueStore<(() => Promise<boolean>) | undefined>(undefined)

/** Signs out, unless the user stays for changes that are not saved. */
export async function signOut(auth: AuthActor | undefined): Promise<void> {
  const ask = leaveGuard.get()
  if (ask === undefined || (await ask())) auth?.send({type: 'logout.request'})
}
