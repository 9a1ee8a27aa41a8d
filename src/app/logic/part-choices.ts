import type {AnyActorRef, AnyStateMachine, InputFrom} from 'xstate'
import {chosenLogic} from './chosen-logic.ts'

type System = AnyActorRef['system']
export type PartChoice<Machine extends AnyStateMachine> = () => {machine: Machine; input: InputFrom<Machine>}

/** The logic and input of starting parts, by id. They belong to the system whose actors they become, and go with it. */
const choices = new WeakMap<System, Map<string, PartChoice<AnyStateMachine>>>()

/** The next part of this name is made of this. */
export function setPartChoice<Machine extends AnyStateMachine>(
  system: System,
  id: string,
  choose: PartChoice<Machine>,
) {
  const own = choices.get(system) ?? new Map<string, PartChoice<AnyStateMachine>>()
  choices.set(system, own.set(id, choose))
}

/** Fills the port of the chart that has such parts. A choice is for one start: parts of one question are many. */
export const partLogic = chosenLogic(({id}: {id: string}, system) => {
  const own = choices.get(system)
  const choose = own?.get(id)
  if (choose === undefined) throw new Error(`No part "${id}"`)
  own?.delete(id)
  return choose()
})
