import type {AnyActorLogic} from 'xstate'

/** Logic that is loaded before its first actor starts. */
export const lazyLogic = <Logic extends AnyActorLogic>(find: () => Logic | undefined): Logic => {
  const loaded = () => {
    const logic = find()
    if (logic === undefined) throw new Error('A chart was not loaded before it started')
    return logic
  }
  const delegate: AnyActorLogic = {
    // as: each call is passed on as it came; the types are those of the logic that is loaded
    transition: (snapshot, event, scope) => loaded().transition(snapshot, event, scope) as never,
    getInitialSnapshot: (scope, input) => loaded().getInitialSnapshot(scope, input) as never,
    getPersistedSnapshot: (snapshot, options) => loaded().getPersistedSnapshot(snapshot, options),
    start: (snapshot, scope) => loaded().start?.(snapshot, scope),
    // the inspector draws a chart by it
    get config() {
      return find()?.config
    },
  }
  // as: stands for the logic that is loaded, which has this type
  return delegate as Logic
}
