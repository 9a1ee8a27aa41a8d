import type {FailedEnd} from '../../runs/failure-end.ts'

export const stoppedEnd: FailedEnd = {
  state: 'failed',
  outcome: 'stopped',
  error: {code: 'canceled', message: 'The answer was stopped.'},
}
export const interruptedEnd: FailedEnd = {
  state: 'failed',
  outcome: 'interrupted',
  error: {code: 'api_error', message: 'The server stopped while it was answering. What it had written is kept.'},
}
export const unstorable: FailedEnd = {
  state: 'failed',
  outcome: 'interrupted',
  error: {code: 'busy', message: 'The answer could not be stored any further. What was stored is kept.'},
}
export const endless: FailedEnd = {
  state: 'failed',
  outcome: 'interrupted',
  error: {code: 'api_error', message: 'The provider ended without saying that it had finished.'},
}
export const tooLong: FailedEnd = {
  state: 'failed',
  outcome: 'interrupted',
  error: {code: 'content_too_large', message: 'The answer is over 8 MB and was ended.'},
}
export const notServed = (model: string): FailedEnd => ({
  state: 'failed',
  outcome: 'refused',
  error: {code: 'bad_request', message: `No provider of this installation serves the model ${model} now.`},
})
