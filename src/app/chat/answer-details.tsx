import {AnswerFacts} from '#features/chat/answer-facts.tsx'
import {useAnswerDetails} from './use-answer-details.ts'

/** How an answer came about. */
export function AnswerDetails({message}: {message: string}) {
  const [snapshot, send] = useAnswerDetails(message)
  return <AnswerFacts snapshot={snapshot} send={send} />
}
