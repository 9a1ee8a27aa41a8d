import {failureText, type Failure} from '#domain/failure.ts'
import type {Text} from '#ui/text.tsx'

/** Why something failed: the server's code and detail, else a sentence about the network in the user's language. */
export const failureWords = (text: Text, failure: Failure): string =>
  failure.lost === true ? text('index.startFailedHelp') : failureText(failure)
