import {createEmptyActor} from 'xstate'

/** A parent that takes every fact, for a machine that a test runs alone. */
export const nobody = createEmptyActor()
