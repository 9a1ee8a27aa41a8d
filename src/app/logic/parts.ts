import type {AnyStateMachine, InputFrom} from 'xstate'
import {chosenLogic} from './chosen-logic.ts'

export type PartChoice<Machine extends AnyStateMachine> = () => {machine: Machine; input: InputFrom<Machine>}

/** What parts are made of when they start, by their id. */
export const partChoices = new Map<string, PartChoice<AnyStateMachine>>()

/** Fills the port of the chart that has such parts. */
export const partLogic = chosenLogic(({id}: {id: string}) => {
  const choose = partChoices.get(id)
  if (choose === undefined) throw new Error(`No part "${id}"`)
  return choose()
})
