import type {AppSnapshot} from './app.machine.ts'
import type {AppChild} from './app.types.ts'

/** The session of the signed-in person; undefined while nobody is signed in. */
export const selectSession = ({children}: AppSnapshot) => children.session
/** Why a part broke last; undefined after a calm minute. */
export const selectCrash = ({context}: AppSnapshot, child: AppChild) => context.crashes[child]?.failure
/** A part broke too often and waits for `child.restart`. */
export const selectIsDown = ({value}: AppSnapshot, child: AppChild) => value[child] === 'down'
