/** The capabilities of a server without names for conversations, as its catalogue lists them. */
export const servedCapabilities = [
  'resume',
  'stop',
  'idempotency',
  'follow',
  'last',
  'versions',
  'preset',
  'marks',
  'labels',
  'branch-model',
  'branch-key',
  'edit-files',
  'revisions',
  'paths',
  'answer-to',
  'import',
]
