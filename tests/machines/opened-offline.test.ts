import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {selectActiveConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {createBackend, createWorld} from './root-world.ts'

const token = {access: 'access-1', refresh: 'refresh-1', expiration: 900, receivedAt: 1_000_000, refreshAt: 1_720_000}
const unanswered = {
  id: 'c-1',
  model: 'm',
  messages: [
    {role: 'user', content: 'foo'},
    {role: 'assistant', content: '', state: 'pending', id: 'key-1'},
  ],
}

/** A signed-in page whose browser has no network when it opens, and a conversation whose answer was not heard. */
async function openOffline() {
  const backend = createBackend()
  const network = {isThere: false}
  const fetch: typeof globalThis.fetch = (address, init) =>
    network.isThere ? backend.fetch(address, init) : Promise.reject(new TypeError('Failed to fetch'))
  const stored = {user: {id: 'u-1'}, token, chat: {conversations: [unanswered]}}
  const world = createWorld({backend: {...backend, fetch}, stored, isOnline: false})
  world.root.start()
  const {actors, actor} = world.root
  await waitFor(actor, () => actors.session() !== undefined)
  const session = actors.session()
  if (session !== undefined) await waitFor(session, (snapshot) => snapshot.hasTag('active'))
  const list = actors.conversations()
  list?.send({type: 'conversation.open', key: 'c-1'})
  const conversation = list && selectActiveConversation(list.getSnapshot())
  if (conversation === undefined) throw new Error('The conversation is not running')
  return {...world, network, conversation}
}

// a session waits three seconds for what it reads first: both pages do so at the same time
describe.concurrent('a page opened offline', () => {
  test('spends no reconnect: the conversation waits for the network', async () => {
    const {conversation} = await openOffline()
    const snapshot = conversation.getSnapshot()
    expect([snapshot.value, snapshot.context.exchange?.reconnects]).toEqual([{reconciling: 'offline'}, 0])
  })

  test('goes on as soon as the network is there', async () => {
    const {conversation, network, events, backend} = await openOffline()
    backend.server.conversations = [unanswered]
    network.isThere = true
    events.online.next(true)
    const {value} = await waitFor(conversation, (snapshot) => !snapshot.matches({reconciling: 'offline'}))
    expect(value).not.toEqual({reconciling: 'waiting'})
  })
})
