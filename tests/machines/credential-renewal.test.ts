import {lastValueFrom, take} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {Services} from '#app/logic/services.ts'
import {listParts} from '#machines/task-list/list-parts.ts'
import {question} from '../api/chat-fixture.ts'
import {createMediaBackend, open, submit} from './media-world.ts'
import {need, ready, until} from './start-root.ts'

const credentialsMade = (calls: readonly string[]) =>
  calls.filter((call) => call === 'POST /api/v1/credentials/').length

/** Every call of the chat, whichever chart asks for it. */
const calls: Record<string, (chat: Services['chat']) => Promise<unknown>> = {
  'pages of the list': (chat) =>
    chat.retrievePage({userId: 'u-1', offset: 0, kept: [], records: [], model: 'm', capabilities: []}),
  'finding and naming': (chat) => chat.retrieve({conversation: 'c-1'}),
  changing: (chat) => chat.changeConversations([{key: 'c-1', title: 'Foo'}]),
  removal: (chat) => chat.remove(['c-1']),
  'a stop': (chat) => chat.stop({conversation: 'c-1'}),
  'cutting the history': (chat) => chat.cutHistory({id: 'c-1', messages: [], cut: 0}),
  'a question': (chat) => lastValueFrom(chat.answer$(question)),
  'running answers of all tabs': (chat) => lastValueFrom(chat.follow$().pipe(take(1))),
}

describe('a credential that the AI host does not take any more', () => {
  test.each(Object.entries(calls))('is made anew once for %s', async (_name, call) => {
    const {root, backend} = await ready()
    backend.server.refusedCredentials.add('key-1')
    await call(root.services.chat)
    expect(credentialsMade(backend.calls)).toBe(2)
  })

  test('is made anew once for calls that are refused at the same time, and one that is refused later costs nothing', async () => {
    const {root, backend} = await ready()
    backend.server.refusedCredentials.add('key-1')
    const {chat} = root.services
    await Promise.all(['c-1', 'c-2', 'c-3'].map((conversation) => chat.retrieve({conversation})))
    expect(credentialsMade(backend.calls)).toBe(2)
  })

  test('leaves the list as it was: it is read with the new one', async () => {
    const {root, backend} = await ready()
    backend.server.conversations = [{id: 'c-1', title: 'Foo', messages: []}]
    backend.server.refusedCredentials.add('key-1')
    const conversations = need(root.actors.conversations())
    conversations.send({type: 'conversations.refresh'})
    const read = await until(conversations, (snapshot) => !snapshot.matches('request'))
    expect([read.value, read.context.items.map(({title}) => title)]).toEqual(['success', ['Foo']])
  })

  type Parts = {actors: Awaited<ReturnType<ReturnType<typeof open>['use']>>['actors']}
  const shown = ({actors}: Parts) =>
    waitFor(actors.list, ({context}) => context.items.some(({task}) => task.id === 'b'))
  const newestPage = ({actors}: Parts) =>
    waitFor(listParts(actors.list).pages, (snapshot) => snapshot.matches({newest: 'success'}))
  const ofTasks: Record<string, (parts: Parts) => Promise<unknown>> = {
    'the newest page': (parts) => {
      listParts(parts.actors.list).pages.send({type: 'tasks.open'})
      return newestPage(parts)
    },
    'a task by its id': (parts) => {
      listParts(parts.actors.list).lookup.send({type: 'task.find', id: 'b'})
      return shown(parts)
    },
    favourites: (parts) => {
      const {favourites} = listParts(parts.actors.list)
      favourites.send({type: 'favourite.set', id: 'b', isOn: true, at: 10})
      favourites.send({type: 'favourites.find'})
      return shown(parts)
    },
    'a new request': async (parts) => {
      await submit(parts, 'foo', 'key-1')
      await waitFor(parts.actors.list, ({context}) => context.items.length > 0)
    },
  }
  test.each(Object.entries(ofTasks))('is made anew once for %s of a tool', async (_name, call) => {
    const backend = createMediaBackend()
    const parts = await open(backend).use()
    const {provisioning} = parts.actors
    await waitFor(provisioning, (snapshot) => snapshot.hasTag('ready'))
    await waitFor(parts.actors.list, (snapshot) => snapshot.hasTag('ready') && snapshot.hasTag('cached'))
    await newestPage(parts)
    // begun elsewhere meanwhile
    backend.media.tasks.push({id: 'b', type: 'images', created_at: 1_000, request: {prompt: 'b'}})
    backend.finish('b')
    backend.server.refusedCredentials.add(provisioning.getSnapshot().context.credential?.token ?? '')
    const before = credentialsMade(backend.calls)
    await call(parts)
    expect(credentialsMade(backend.calls) - before).toBe(1)
  })
})
