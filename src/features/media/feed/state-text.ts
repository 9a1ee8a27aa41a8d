import type {MessageId} from '#ui/text.tsx'
import type {CardState} from '#machines/task-list/task-list.selectors.ts'

/** The state of a request without a result, in one line. */
export const stateText = {
  sending: 'common.mediaSending',
  offline: 'common.mediaOffline',
  looking: 'common.mediaLooking',
  queued: 'common.mediaQueued',
  running: 'common.mediaRunning',
  checking: 'common.mediaChecking',
  succeeded: 'common.mediaChecking',
  unsure: 'common.mediaUnsureHelp',
  gone: 'common.mediaGoneHelp',
  lost: 'common.mediaLostHelp',
  usedUp: 'common.mediaUsedUp',
  failed: 'common.mediaFailed',
  rejected: 'common.mediaRejected',
} as const satisfies Record<CardState, MessageId>
