import {filter, fromEvent, map, NEVER, Observable} from 'rxjs'
import {messageOutcomes} from '#contract/chat.ts'
import {identifier, z} from '#contract/schema.ts'

const name = {id: identifier, message: identifier, attempt: z.number()}
const piece = z.object({
  ...name,
  from: z.number(),
  texts: z.array(z.string()),
  provider: z.exactOptional(z.string()),
  sandbox: z.exactOptional(z.boolean()),
  end: z.exactOptional(
    z.object({
      state: z.enum(['finished', 'failed']),
      outcome: z.exactOptional(z.enum(messageOutcomes)),
      error: z.exactOptional(z.object({code: z.string(), message: z.exactOptional(z.string())})),
    }),
  ),
})
const word = z.union([
  z.object({type: z.literal('peer.reported'), pieces: z.array(piece)}),
  z.object({type: z.literal('peer.asked'), answers: z.array(z.object({...name, lastSeq: z.number()}))}),
  z.object({type: z.enum(['peer.opened', 'peer.disconnected'])}),
])
/** Messages about running answers between the tabs of one browser and user. */
export type AnswerWord = z.infer<typeof word>

export type AnswerChannel = {
  /** Posts to the other tabs of this user. */
  tell: (userId: string, message: AnswerWord) => void
  /**
   * Messages of the user's other tabs. Cold: the channel is open while it has a subscriber. Invalid messages are
   * dropped.
   */
  words$: (userId: string) => Observable<AnswerWord>
}

const nameOf = (userId: string) => `atrium.answers.${userId}`

/** Without BroadcastChannel a tab hears nothing of the one that follows for all: after each silence it asks itself. */
export const createAnswerChannel = (createChannel: ((name: string) => BroadcastChannel) | undefined): AnswerChannel => {
  const open = new Map<string, BroadcastChannel>()
  return {
    tell: (userId, message) => open.get(userId)?.postMessage(message),
    words$: (userId) =>
      createChannel === undefined
        ? NEVER
        : new Observable((subscriber) => {
            const channel = createChannel(nameOf(userId))
            open.set(userId, channel)
            subscriber.add(
              fromEvent<MessageEvent<unknown>>(channel, 'message')
                .pipe(
                  map(({data}) => word.safeParse(data).data),
                  filter((data) => data !== undefined),
                )
                .subscribe(subscriber),
            )
            return () => {
              open.delete(userId)
              channel.close()
            }
          }),
  }
}
