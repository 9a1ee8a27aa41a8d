import type {AnswerEvent} from '#domain/answer.ts'

type Delta = Extract<AnswerEvent, {type: 'answer.received'}>

const continues = (event: Delta, first: Delta, seq: number) =>
  event.message === first.message &&
  event.attempt === first.attempt &&
  event.conversation === first.conversation &&
  event.seq === seq + 1

/** Joins consecutive deltas into one with the first and last sequence number. */
export const joinDeltas = (events: readonly AnswerEvent[]): AnswerEvent[] => {
  const joinedEvents: AnswerEvent[] = []
  let first: Delta | undefined
  let seq = 0
  // joined once, at its end: a read may bring thousands of deltas
  let texts: string[] = []
  const endRun = () => {
    if (first !== undefined) joinedEvents.push(texts.length === 1 ? first : {...first, seq, text: texts.join('')})
    first = undefined
  }
  for (const event of events) {
    const isDelta = event.type === 'answer.received'
    if (!isDelta || first === undefined || !continues(event, first, seq)) {
      endRun()
      texts = []
    }
    if (isDelta) {
      first ??= event
      seq = event.seq
      texts.push(event.text)
    } else joinedEvents.push(event)
  }
  endRun()
  return joinedEvents
}
