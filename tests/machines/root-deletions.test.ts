import {describe, expect, test} from 'vitest'
import {selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import {createBackend} from './root-world.ts'
import {eventually} from '../eventually.ts'
import {need, ready, signedIn, until} from './start-root.ts'

describe('deletions of the whole root on fake ports', () => {
  test('what was deleted elsewhere leaves this browser once the list was read', async () => {
    const stored = (key: string, id?: string) => ({key, ...(id && {id}), model: 'm', messages: [], updatedAt: 1})
    const key = (name: string) => `user/u-1/conversation/${name}`
    const bulkItems = new Map<string, unknown>([
      [key('gone'), stored('gone', 'gone')],
      [key('known'), stored('known', 'known')],
      [key('asked-elsewhere'), stored('asked-elsewhere')],
      ['user/u-2/conversation/theirs', stored('theirs', 'theirs')],
    ])
    const backend = createBackend()
    backend.server.conversations = [{id: 'known', model: 'm', messages: [], updated_at: 1}]
    const {root, deps} = await ready({backend, bulkItems})
    await until(root.actors.conversations(), (snapshot) => snapshot.matches('success'))
    await eventually(async () => {
      await deps.bulk.flush()
      expect([...bulkItems.keys()].sort()).toEqual(
        [key('asked-elsewhere'), key('known'), 'user/u-2/conversation/theirs'].sort(),
      )
    })
  })

  test('what an earlier page deleted is told to the server again, and kept nowhere once that is done', async () => {
    const backend = createBackend()
    const conversation = {id: 'c-9', model: 'm', messages: [], updated_at: 1}
    backend.server.conversations = [conversation]
    const chat = {conversations: [{...conversation, key: 'made-here'}], removing: ['c-9']}
    const world = await ready({backend, stored: {...signedIn, chat}})
    await until(world.root.actors.conversations(), (snapshot) => snapshot.context.removed.length > 0)
    expect(backend.calls.filter((call) => call.endsWith(' delete'))).toEqual(['POST /aichat/conversations delete'])
    await eventually(() => expect(world.stored()).toMatchObject({chat: {conversations: [], removing: []}}))
  })

  test('a deletion outlives a page that was killed while it could be taken back, and no page of that time ends it', async () => {
    const backend = createBackend()
    backend.server.conversations = ['c-8', 'c-9'].map((id) => ({id, model: 'm', messages: [], updated_at: 1}))
    const deletions = () => backend.calls.filter((call) => call.endsWith(' delete'))
    const killed = await ready({backend})
    const remove = (...keys: string[]) => killed.root.actors.conversations()?.send({type: 'conversations.remove', keys})
    remove('c-8')
    remove('c-9')
    killed.root.actors.conversations()?.send({type: 'conversations.restore', keys: ['c-8']})
    // as it is in the store at this moment: a page that is killed writes nothing more
    const left = {...killed.deps.state.read()}

    const meanwhile = await ready({backend, stored: left})
    const list = meanwhile.root.actors.conversations()
    expect(list?.getSnapshot().context.removing).toEqual([])
    list?.send({type: 'conversation.open', key: 'c-8'})
    list?.send({type: 'conversations.remove', keys: ['c-8']})
    list?.send({type: 'conversations.restore', keys: ['c-8']})
    expect(deletions()).toEqual([])

    const next = await ready({backend, stored: meanwhile.stored(), now: 1_010_000})
    await until(next.root.actors.conversations(), ({context}) => context.removed.includes('c-9'))
    expect(next.root.actors.conversations()?.getSnapshot().context.removed).toEqual(['c-9'])
    expect(deletions()).toHaveLength(1)
    await eventually(() => expect(next.stored()).toMatchObject({chat: {removing: []}, deletions: []}))
  })

  test('of deletions in a row no other page sends one before the last can no longer be taken back', async () => {
    const backend = createBackend()
    backend.server.conversations = ['c-8', 'c-9'].map((id) => ({id, model: 'm', messages: [], updated_at: 1}))
    const {root, deps} = await ready({backend})
    const list = need(root.actors.conversations())
    list.send({type: 'conversations.remove', keys: ['c-8']})
    deps.timers.now = () => 1_007_000
    list.send({type: 'conversations.remove', keys: ['c-9']})
    expect(deps.state.read().deletions).toMatchObject(['c-8', 'c-9'].map((id) => ({id, until: 1_017_000})))
  })

  test('a deletion whose answer the browser drops as the page goes is sent again by the next page', async () => {
    const backend = createBackend()
    backend.server.conversations = ['c-7', 'c-8', 'c-9'].map((id) => ({id, model: 'm', messages: [], updated_at: 1}))
    let isLeft = false
    const fetch: typeof backend.fetch = (...call) =>
      isLeft ? Promise.reject(new TypeError('Failed to fetch')) : backend.fetch(...call)
    const {root, events, stored} = await ready({backend: {...backend, fetch}})
    const list = need(root.actors.conversations())
    for (const key of ['c-7', 'c-8', 'c-9']) list.send({type: 'conversations.remove', keys: [key]})
    list.send({type: 'conversations.restore', keys: ['c-7']})
    isLeft = true
    events.leaving.next()
    await until(list, ({context}) => context.removing.length === 0)
    const left = stored()
    expect(left.deletions).toEqual(['c-8', 'c-9'].map((id) => ({id, until: 1_000_000})))

    const next = await ready({backend, stored: left})
    await until(next.root.actors.conversations(), ({context}) => context.removed.length === 2)
    expect(next.root.actors.conversations()?.getSnapshot().context.removed.toSorted()).toEqual(['c-8', 'c-9'])
    await eventually(() => expect(next.stored()).toMatchObject({deletions: []}))

    // not the next page but the same one, out of the history, which shows both again
    events.restored.next()
    expect(stored().deletions).toEqual([])
  })

  test('a page that comes back from the history with a deletion that failed reads what the other tabs deleted', async () => {
    const backend = createBackend()
    backend.server.conversations = ['c-8', 'c-9'].map((id) => ({id, model: 'm', messages: [], updated_at: 1}))
    let isFrozen = false
    const fetch: typeof backend.fetch = (...call) =>
      isFrozen ? Promise.reject(new TypeError('Failed to fetch')) : backend.fetch(...call)
    const {root, events} = await ready({backend: {...backend, fetch}})
    const list = need(root.actors.conversations())
    const listed = () => selectItems(list.getSnapshot()).map(({id}) => id)
    list.send({type: 'conversations.remove', keys: ['c-9']})
    isFrozen = true
    events.leaving.next()
    await until(list, ({context}) => context.removing.length === 0)
    expect(listed().toSorted()).toEqual(['c-8', 'c-9'])

    isFrozen = false
    backend.server.conversations = [{id: 'c-8', model: 'm', messages: [], updated_at: 1}]
    events.restored.next()
    await eventually(() => expect(listed()).toEqual(['c-8']))
  })

  test('whatever the clock of the device says, a question of another tab keeps its conversation', async () => {
    for (const clock of [4_600_000, 400_000]) {
      const backend = createBackend()
      const conversations = ['c-8', 'c-9'].map((id) => ({id, model: 'm', messages: [], updated_at: 990}))
      backend.server.conversations = conversations
      const fetch: typeof backend.fetch = async (...call) => {
        const answer = await backend.fetch(...call)
        answer.headers.set('date', new Date(1_000_000).toUTCString())
        return answer
      }
      const killed = await ready({backend: {...backend, fetch}, now: clock})
      const list = await until(killed.root.actors.conversations(), (snapshot) => snapshot.matches('success'))
      expect(list.context.items).toHaveLength(2)
      killed.root.actors.conversations()?.send({type: 'conversations.remove', keys: ['c-8', 'c-9']})
      const left = {...killed.deps.state.read()}
      // another tab asked in one of them after it was deleted
      const kept = conversations.map((item) => (item.id === 'c-8' ? {...item, updated_at: 1_060} : item))
      backend.server.conversations = kept
      const next = await ready({backend, stored: {...left, chat: {conversations: kept}}, now: clock + 100_000})
      await until(next.root.actors.conversations(), ({context}) => context.removed.length > 0)
      expect(next.root.actors.conversations()?.getSnapshot().context.removed).toEqual(['c-9'])
    }
  })

  test.each([
    {reason: 'where the conversation has gone on since', updated_at: 1_002, now: 1_010_000},
    {reason: 'after more than a day', updated_at: 1, now: 87_401_000},
  ])('a deletion that a killed page left is dropped $reason', async ({updated_at, now}) => {
    const backend = createBackend()
    const conversation = {id: 'c-9', model: 'm', messages: [], updated_at}
    backend.server.conversations = [conversation]
    const stored = {...signedIn, chat: {conversations: [conversation]}, deletions: [{id: 'c-9', until: 1_001_000}]}
    const {root} = await ready({backend, stored, now})
    expect(root.actors.conversations()?.getSnapshot().context.removing).toEqual([])
  })
})
