import {assign, setup, type SnapshotFrom} from 'xstate'

/** Pixels. */
export type ImageSize = {width: number; height: number}

export type FramedImageEvent =
  /** The frame has the address and asks the image's host. */
  | {type: 'image.asked'}
  | ({type: 'image.loaded'} & ImageSize)
  | {type: 'image.failed'}
  /** The user tries again, in a new frame. */
  | {type: 'image.retry'}

type Context = {
  /** Undefined until the image is shown. */
  size: ImageSize | undefined
  /** Number of this load, from 0. */
  attempt: number
}

/**
 * An image of another host in the frame that our server sends for it (docs/decisions/0173). A frame does not report
 * that it did not load, so silence is a failure after a while. Owned by the view that shows the image; its work is done
 * when the image is shown, and nothing that the frame says later counts.
 */
export const framedImageMachine = setup({
  types: {context: {} as Context, events: {} as FramedImageEvent},
  delays: {
    patience: 10_000,
    // a host that answers and never ends
    longestLoad: 60_000,
  },
  actions: {
    storeSize: assign((_, {width, height}: ImageSize) => ({size: {width, height}})),
    countAttempt: assign({attempt: ({context}) => context.attempt + 1}),
  },
}).createMachine({
  id: 'framedImage',
  context: {size: undefined, attempt: 0},
  initial: 'opening',
  states: {
    opening: {
      on: {'image.asked': {target: 'loading'}},
      after: {patience: {target: 'failed'}},
    },
    loading: {
      on: {
        'image.loaded': {target: 'shown', actions: [{type: 'storeSize', params: ({event}) => event}]},
        'image.failed': {target: 'failed'},
      },
      after: {longestLoad: {target: 'failed'}},
    },
    failed: {on: {'image.retry': {target: 'opening', actions: ['countAttempt']}}},
    shown: {type: 'final'},
  },
})

export type FramedImageSnapshot = SnapshotFrom<typeof framedImageMachine>
