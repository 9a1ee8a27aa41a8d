import {failedEnd} from '../../runs/failed-end.ts'

export const stoppedEnd = failedEnd('stopped', 'canceled', 'The answer was stopped.')
export const interruptedEnd = failedEnd(
  'interrupted',
  'api_error',
  'The server stopped while it was answering. What it had written is kept.',
)
export const unstorable = failedEnd(
  'interrupted',
  'busy',
  'The answer could not be stored any further. What was stored is kept.',
)
export const endless = failedEnd('interrupted', 'api_error', 'The provider ended without saying that it had finished.')
export const tooLong = failedEnd('interrupted', 'content_too_large', 'The answer is over 8 MB and was ended.')
export const notServed = (model: string) =>
  failedEnd('refused', 'bad_request', `No provider of this installation serves the model ${model} now.`)
