import {setTimeout as pause} from 'node:timers/promises'
import {ask, type Manner} from './ask.ts'
import {Unexpected} from './client.ts'
import {generate, look, order, upload} from './make.ts'
import {User, type UserParts} from './user.ts'

const longestConversation = 5
/**
 * Users come one after the other: a password costs a third of a second of a core, and repeats of all at once would cost
 * all.
 */
const atTheDoor = 4
const longestPause = 1_500

const manners = ['read', 'read', 'read', 'leave', 'leave', 'stop', 'follow', 'follow'] as const satisfies Manner[]
type Act = 'ask' | 'look' | 'generate' | 'upload' | 'order' | 'sign in'
const acts: readonly [Act, ...Act[]] = [
  'ask',
  'ask',
  'ask',
  'ask',
  'ask',
  'ask',
  'look',
  'generate',
  'generate',
  'upload',
  'upload',
  'order',
  'order',
  'sign in',
]

/** One user after the other thing, until the time is up; what was begun is gone through to its end. */
export async function live(user: User, door: Door): Promise<void> {
  let conversation: string | undefined
  let asked = 0
  await through(door, () => attempt(user, 'registration', () => user.register()))
  if (user.application === '') return
  while (!user.parts.isTimeUp()) {
    const act = user.choose(acts)
    await attempt(user, act, async () => {
      await user.renewIfDue()
      switch (act) {
        case 'ask':
          if (asked % longestConversation === 0) conversation = undefined
          asked += 1
          conversation = await ask(user, conversation, user.choose(manners))
          return
        case 'look':
          if (conversation !== undefined) await look(user, conversation)
          return
        case 'generate':
          return generate(user)
        case 'upload':
          return upload(user)
        case 'order':
          return order(user)
        case 'sign in':
          if (user.whole(6) === 0) await user.signIn()
          return
      }
    })
    await pause(user.whole(longestPause))
  }
}

type Door = {inside: number; waiting: (() => void)[]}
export const openDoor = (): Door => ({inside: 0, waiting: []})

/** Lets few in at once, in turn. */
async function through(door: Door, work: () => Promise<void>): Promise<void> {
  if (door.inside >= atTheDoor) await new Promise<void>((resolve) => door.waiting.push(resolve))
  else door.inside += 1
  await work()
  const next = door.waiting.shift()
  if (next === undefined) door.inside -= 1
  else next()
}

/** Notes an unexpected error as a fault of the run; the user goes on. */
async function attempt(user: User, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    user.fault(what, error instanceof Unexpected ? error.message : String(error instanceof Error ? error.stack : error))
  }
}

export const createPeople = (count: number, parts: Omit<UserParts, 'number'>): User[] =>
  Array.from({length: count}, (_, index) => new User({...parts, number: index + 1}))
