import {enqueueActions, setup, type ActorRefFrom} from 'xstate'
import type {ElsewhereFact} from '#domain/lost-file.ts'
import {streamPort} from '#machines/lib/ports.ts'
import type {LostFileEvent, LostFileInput} from './lost-file.types.ts'

/**
 * A file of a draft that is not uploaded and not in this page (decision 214): another tab may have it on its way, or
 * try it again after a failure. Owned by `draftFiles`; ends when the file is uploaded or removed.
 */
export const lostFileMachine = setup({
  types: {input: {} as LostFileInput, context: {} as LostFileInput, events: {} as LostFileEvent},
  actors: {
    /** Says at once, and whenever it changes, how the upload stands in the other tabs. */
    followElsewhere: streamPort<ElsewhereFact, {id: string}>('followElsewhere'),
  },
  delays: {askDeadline: 2_000},
  actions: {
    tellSettled: enqueueActions(({enqueue, context: {parentRef, id}}, {url}: {url: string}) => {
      enqueue.sendTo(parentRef, {type: 'upload.settled', id, field: 'draft', url})
    }),
  },
}).createMachine({
  id: 'lostFile',
  context: ({input}) => input,
  initial: 'asking',
  invoke: {
    id: 'followElsewhere',
    src: 'followElsewhere',
    input: ({context: {id}}) => ({id}),
    onDone: {target: '.lost'},
    onError: {target: '.lost'},
  },
  on: {
    'elsewhere.running': {target: '.elsewhere'},
    'elsewhere.uploaded': {actions: [{type: 'tellSettled', params: ({event}) => event}]},
    'elsewhere.gone': {target: '.lost'},
  },
  states: {
    asking: {after: {askDeadline: {target: 'lost'}}},
    elsewhere: {},
    lost: {},
  },
})

export type LostFileActor = ActorRefFrom<typeof lostFileMachine>
