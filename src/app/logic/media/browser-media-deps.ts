import {createTaskChannel} from '#browser/task-channel.ts'
import type {MediaDeps} from '../root-deps.ts'

/** Creates the browser's parts that media tools need. */
export const createBrowserMediaDeps = (): MediaDeps => ({
  channel: createTaskChannel(
    typeof BroadcastChannel === 'undefined' ? undefined : (name) => new BroadcastChannel(name),
  ),
  random: Math.random,
})
