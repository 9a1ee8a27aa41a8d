/* The users of a run write down what they were given. Every record names the user, the request and the time. */

type Common = {user: number; request: string; at: string}

export type QuestionEnd = {state: 'finished' | 'failed'; outcome: string | undefined}
export type QuestionRecord = Common & {
  question: string
  /** The text of the complete answer. */
  expected: string
  /** The first frame names the conversation: from then on the question is acknowledged. */
  conversation?: string
  message?: string
  /** The text that was heard, in the order of its numbers. */
  text: string
  lastSeq: number
  end?: QuestionEnd
  /** When the wish to stop it was answered. */
  stoppedAt?: number
  /** Refused with a sentence: it must not be there. */
  refused?: string
}
export type TaskRecord = Common & {
  prompt: string
  /** Acknowledged. */
  id?: string
  end?: 'succeeded' | 'failed'
  /** Files of the result, by their address, with the hash of what was loaded. */
  files: {path: string; hash: string}[]
}
export type FileRecord = Common & {
  name: string
  size: number
  hash: string
  /** Acknowledged. */
  id?: string
  path?: string
}
export type OrderRecord = Common & {
  amount: number
  description: string
  id?: string
  state?: string
}
export type AccountRecord = Common & {email: string; id?: string; application?: string}

/** Something that was wrong while a user was at work. */
export type Fault = Common & {fault: string}

export type Records = {
  accounts: AccountRecord[]
  questions: QuestionRecord[]
  tasks: TaskRecord[]
  files: FileRecord[]
  orders: OrderRecord[]
  faults: Fault[]
}

export const emptyRecords = (): Records => ({accounts: [], questions: [], tasks: [], files: [], orders: [], faults: []})

export const joined = (all: readonly Records[]): Records => ({
  accounts: all.flatMap(({accounts}) => accounts),
  questions: all.flatMap(({questions}) => questions),
  tasks: all.flatMap(({tasks}) => tasks),
  files: all.flatMap(({files}) => files),
  orders: all.flatMap(({orders}) => orders),
  faults: all.flatMap(({faults}) => faults),
})
