import {errorTextId, type Failure} from '#domain/failure.ts'
import type {Text} from '#ui/text.tsx'

/** Why a request about the account was refused: when it can be made again, else the sentence of its code. */
export const refusalText = (text: Text, failure: Failure): string =>
  failure.retryAfterSeconds === undefined
    ? text(errorTextId(failure))
    : text('index.profileTooMany', {minutes: Math.max(1, Math.ceil(failure.retryAfterSeconds / 60))})
