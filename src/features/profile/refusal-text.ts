import {accountErrorTextId} from '#domain/account-failure.ts'
import type {Failure} from '#domain/failure.ts'
import type {Text} from '#ui/text.tsx'

/** Why a request about the account was refused: when it can be made again, else the sentence of its kind. */
export const refusalText = (text: Text, failure: Failure): string =>
  failure.retryAfterSeconds === undefined
    ? text(accountErrorTextId(failure))
    : text('index.profileTooMany', {minutes: Math.max(1, Math.ceil(failure.retryAfterSeconds / 60))})
