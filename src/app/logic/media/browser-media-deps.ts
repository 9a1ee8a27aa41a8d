import {createTaskChannel} from '#browser/task-channel.ts'
import type {MediaDeps} from '../root-deps.ts'

/** What media tools need of the browser this page runs in. */
export const createBrowserMediaDeps = (): MediaDeps => ({
  channel: createTaskChannel(
    typeof BroadcastChannel === 'undefined' ? undefined : (name) => new BroadcastChannel(name),
  ),
  random: Math.random,
})
