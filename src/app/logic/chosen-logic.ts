import type {ActorLogic, AnyActorRef, AnyMachineSnapshot, AnyStateMachine, EventObject, SnapshotFrom} from 'xstate'

/** Logic that chooses the chart and completes the input when an actor starts: the owner of a tool knows only its id. */
export const chosenLogic = <Machine extends AnyStateMachine, Event extends EventObject, Given>(
  choose: (given: Given, system: AnyActorRef['system']) => {machine: Machine; input: unknown},
): ActorLogic<SnapshotFrom<Machine>, Event, Given> => ({
  getInitialSnapshot: (scope, givenInput) => {
    const {machine, input} = choose(givenInput, scope.system)
    // as: the scope belongs to this actor, and the snapshot to its machine
    return machine.getInitialSnapshot(scope as never, input) as SnapshotFrom<Machine>
  },
  // as: see above
  transition: (snapshot, event, scope) =>
    machineOf(snapshot).transition(snapshot as AnyMachineSnapshot, event, scope as never) as SnapshotFrom<Machine>,
  start: (snapshot) => machineOf(snapshot).start(snapshot as AnyMachineSnapshot),
  // as: see above
  getPersistedSnapshot: (snapshot) => machineOf(snapshot).getPersistedSnapshot(snapshot as AnyMachineSnapshot),
})

// as: every snapshot of a machine names it
const machineOf = (snapshot: unknown) => (snapshot as AnyMachineSnapshot).machine

/** Logic that is loaded before its first actor starts. */
export const lazyLogic = <Machine extends AnyStateMachine>(find: () => Machine | undefined): Machine =>
  // as: stands for the chart that is loaded, which has this type
  chosenLogic((input: unknown) => {
    const machine = find()
    if (machine === undefined) throw new Error('A chart was not loaded before it started')
    return {machine, input}
  }) as unknown as Machine
