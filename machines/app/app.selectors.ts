import type {AppSnapshot} from './app.machine.ts'
import type {AppChild} from './app.types.ts'

/** A part broke too often and waits for `child.restart`. */
export const selectIsDown = ({value}: AppSnapshot, child: AppChild) => value[child] === 'down'
