import type {RefObject} from 'react'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import type {ThreadHandle} from './thread-view.tsx'

/** A thread in which words are found. */
export type FoundThread = {
  actor: ConversationActor
  view: RefObject<ThreadHandle | null>
  /** Brings the thread itself on screen, which others stand beside. */
  bring?: () => void
}
