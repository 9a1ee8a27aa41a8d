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
  z.object({type: z.literal('peer.told'), pieces: z.array(piece)}),
  z.object({type: z.literal('peer.asked'), answers: z.array(z.object({...name, lastSeq: z.number()}))}),
  z.object({type: z.literal('peer.opened')}),
])
/** What the tabs of one browser and user tell each other of running answers. */
export type AnswerWord = z.infer<typeof word>

export type AnswerChannel = {
  /** To the other tabs of this user. */
  tell: (userId: string, said: AnswerWord) => void
  /** From the other tabs of this user. Cold: the channel is open while somebody listens. What is no word does not exist. */
  words$: (userId: string) => Observable<AnswerWord>
}

const nameOf = (userId: string) => `atrium.answers.${userId}`

/** Without a channel nobody hears of the others: each tab looks after its answers by itself. */
export const createAnswerChannel = (createChannel: ((name: string) => BroadcastChannel) | undefined): AnswerChannel => {
  const open = new Map<string, BroadcastChannel>()
  return {
    tell: (userId, said) => open.get(userId)?.postMessage(said),
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
