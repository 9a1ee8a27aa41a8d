import {useSelector} from '@xstate/react'
import {findActor} from '#machines/lib/find-actor.ts'
import type {FollowUpsActor} from '#machines/follow-ups/follow-ups.machine.ts'
import {
  removedQuestionsMachine,
  type RemovedQuestion,
  type RemovedQuestionsActor,
} from '#machines/removed-questions/removed-questions.machine.ts'
import type {SessionActor} from '#machines/session/session.machine.ts'
import {useChat} from './chat.context.tsx'

const none: readonly RemovedQuestion[] = []

/**
 * The removed questions of a conversation that can be taken back, and the actor that offers it while there are some:
 * also after the conversation was left and opened again.
 */
export function useRemovals(conversation: string, {system}: FollowUpsActor) {
  const {openRemovals} = useChat()
  const id = `removedQuestions/${conversation}`
  const session = findActor<SessionActor>(system, 'session')
  const removals = useSelector(session, () => findActor<RemovedQuestionsActor>(system, id))
  const removed = useSelector(removals, (snapshot) => snapshot?.context.removed ?? none)
  const open = () => openRemovals(system, id, () => ({machine: removedQuestionsMachine, input: undefined}))
  return {removals, removed, open}
}
