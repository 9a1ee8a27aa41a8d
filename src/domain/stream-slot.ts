/** Events of the slot of a stream: the tabs of a browser hold few streams together (security R69). */
export type SlotEvent =
  /** No slot is free: the request waits for one, which it keeps until the answer is named or has ended. */
  | {type: 'slot.awaited'; until: 'named' | 'ended'}
  | {type: 'slot.granted'}
  /** There is no slot for the rest of the answer: it is followed without a stream of its own. */
  | {type: 'slot.denied'}
