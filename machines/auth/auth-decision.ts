import {watchActor} from '#machines/lib/watch.ts'
import type {AuthActor} from './auth.machine.ts'
import type {SessionDecided} from './auth.types.ts'

/** Reports once how the stored session, or a code, turned out. */
export const watchAuth = watchActor<AuthActor>('auth', (snapshot): SessionDecided | undefined => {
  const isUnreachable = snapshot.hasTag('unreachable')
  if (snapshot.hasTag('undecided') && !isUnreachable) return undefined
  const {failure} = snapshot.context
  return {type: 'session.decided', authenticated: snapshot.hasTag('authenticated'), isUnreachable, failure}
})
