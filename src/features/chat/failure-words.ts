import {failureText, type Failure} from '#domain/failure.ts'
import type {Text} from '#ui/text.tsx'

/** Why something failed: the server's code and detail. Without an answer there are none, but a sentence about the network; a browser's own words are in no language of ours. */
export const failureWords = (text: Text, failure: Failure): string =>
  failure.lost === true ? text('index.startFailedHelp') : failureText(failure)
