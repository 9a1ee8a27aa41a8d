import {waitFor, type AnyActorRef, type SnapshotFrom} from 'xstate'
import {selectActiveConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {createWorld} from './root-world.ts'

type World = ReturnType<typeof createWorld>
export const start = (options?: Parameters<typeof createWorld>[0]) => {
  const world = createWorld(options)
  world.root.start()
  return world
}

export const need = <Actor extends AnyActorRef>(actor: Actor | undefined): Actor => {
  if (actor === undefined) throw new Error('The actor is not running')
  return actor
}
export const until = <Actor extends AnyActorRef>(
  actor: Actor | undefined,
  predicate: (snapshot: SnapshotFrom<Actor>) => boolean,
) => waitFor(need(actor), predicate)

export const token = {
  access: 'access-1',
  refresh: 'refresh-1',
  expiration: 900,
  receivedAt: 1_000_000,
  refreshAt: 1_720_000,
}
export const signedIn = {user: {id: 'u-1'}, token}

/** Signed in, provisioned, list read. */
export async function ready(options: Parameters<typeof createWorld>[0] = {}) {
  const world = start({stored: signedIn, ...options})
  const {actors} = world.root
  await until(actors.startup(), (snapshot) => snapshot.hasTag('ready'))
  await until(world.root.actor, () => actors.session() !== undefined)
  await until(actors.session(), (snapshot) => snapshot.hasTag('active'))
  await until(actors.provisioning(), (snapshot) => snapshot.hasTag('ready'))
  await until(actors.conversations(), (snapshot) => snapshot.matches('success'))
  return world
}

export async function ask(world: World, question: string) {
  const conversations = need(world.root.actors.conversations())
  conversations.send({type: 'conversation.create', key: 'new', model: 'gpt-5-all'})
  const conversation = need(selectActiveConversation(conversations.getSnapshot()))
  conversation.send({type: 'prompt.submit', question, references: [], key: 'key-1', at: 1_000})
  return conversation
}
