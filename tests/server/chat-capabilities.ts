/** What the chat of a server without names for conversations offers, as its catalogue says it. */
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
  'import',
]
