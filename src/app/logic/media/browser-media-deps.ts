import {sleep} from '#api/deadline.ts'
import {createUuid} from '#api/random.ts'
import {createLeadership} from '#browser/leadership.ts'
import {openStorage} from '#browser/storage.ts'
import {createTaskChannel} from '#browser/task-channel.ts'
import type {MediaDeps} from '../root-deps.ts'

/** What media tools need of the browser this page runs in. */
export const createBrowserMediaDeps = (): MediaDeps => ({
  // browsers on plain http have no locks, whatever the DOM types promise
  leadership: createLeadership(navigator.locks, {
    storage: openStorage('localStorage'),
    now: () => Date.now(),
    sleep: (milliseconds) => sleep(milliseconds),
    createId: createUuid,
  }),
  channel: createTaskChannel(
    typeof BroadcastChannel === 'undefined' ? undefined : (name) => new BroadcastChannel(name),
  ),
  random: Math.random,
})
