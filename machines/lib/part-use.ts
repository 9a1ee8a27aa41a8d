import type {ActorLogic, AnyMachineSnapshot, EventObject} from 'xstate'
import {logicPort} from './ports.ts'

/** A view needs a child whose chart it brings: the first use starts it, a further one if it ended or broke. */
export type PartUse = {type: 'part.use'; id: string}

/** The owner knows no more of it than its name (`src/app/logic/part-choices.ts`). */
export const partPort = () => logicPort<ActorLogic<AnyMachineSnapshot, EventObject, {id: string}>>('part')
