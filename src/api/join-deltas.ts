import type {AnswerEvent} from '#domain/answer.ts'

/** Joins consecutive deltas into one with the first and last sequence number. */
export const joinDeltas = (events: readonly AnswerEvent[]): AnswerEvent[] => {
  const joined: AnswerEvent[] = []
  let texts: string[] = []
  for (const event of events) {
    const last = joined.at(-1)
    const continues =
      event.type === 'answer.received' &&
      last?.type === 'answer.received' &&
      event.message === last.message &&
      event.attempt === last.attempt &&
      event.conversation === last.conversation &&
      event.seq === last.seq + 1
    if (!continues) {
      texts = event.type === 'answer.received' ? [event.text] : []
      joined.push(event)
      continue
    }
    texts.push(event.text)
    joined[joined.length - 1] = {...last, seq: event.seq, text: texts.join('')}
  }
  return joined
}
