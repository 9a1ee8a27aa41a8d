import {vi} from 'vitest'

/** Repeats a check until it passes. Vitest gives up after a second, which a busy machine needs for less than that. */
export const eventually = <T>(check: () => T | Promise<T>, timeout = 20_000): Promise<T> => vi.waitFor(check, {timeout})
