import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {ConversationChange, ConversationRecord} from '#domain/conversation.ts'
import {startChanges} from './conversation-changes-fixture.ts'
import {environment, settled} from './conversation-list-fixture.ts'

test('what another tab changes meanwhile stays when this tab is refused, also what waited here', async () => {
  const {list, changes, facts, holds, held, context} = startChanges([settled('a')])
  const reports: unknown[] = []
  changes.on('conversations.changed', (fact) => reports.push(fact.changes))
  const refusal = Object.assign(new Error('foo'), {code: 'bad_request', detail: 'foo', status: 400})
  const settle = async (error: Error) => {
    const {changing} = changes.getSnapshot().context
    held.shift()?.reject(error)
    await waitFor(changes, (snapshot) => snapshot.context.changing !== changing)
  }
  holds.changes = true
  const rename = (title: string) => changes.send({type: 'conversation.rename', key: 'a', title})
  const renameThere = (title: string) => list.send({type: 'conversations.changed', changes: [{key: 'a', title}]})
  rename('here')
  renameThere('there')
  reports.length = 0
  await settle(refusal)
  expect([context().items[0]?.title, facts, reports]).toEqual(['there', [], []])
  for (const error of [refusal, new Error('foo')]) {
    rename('here')
    renameThere('there again')
    rename('here again')
    await settle(error)
    await settle(error)
    expect(context().items[0]?.title).toBe('there again')
  }
  expect(facts).toEqual([
    {
      type: 'list.failed',
      about: 'title:a/title',
      kind: 'rename',
      failure: {code: 'bad_request', detail: 'foo', status: 400},
    },
    {
      type: 'list.failed',
      about: 'title:a/title',
      kind: 'rename',
      failure: {code: 'unknown', detail: 'foo'},
      again: {type: 'conversation.rename', key: 'a', title: 'here again'},
    },
  ])
})

describe('two tabs that change the same at once', () => {
  const title = (name: string): ConversationChange => ({key: 'a', title: name})
  const refusal = Object.assign(new Error('foo'), {code: 'bad_request', detail: 'foo', status: 400})
  /** `stored`: what the server has; `reports`: what the other tabs hear. */
  function startCrossing(stored: Partial<ConversationRecord>) {
    const asked: string[] = []
    const server: {stored: Partial<ConversationRecord>; failure?: Error | undefined} = {stored}
    const started = startChanges([settled('a')], async (key) => {
      asked.push(key)
      if (server.failure !== undefined) throw server.failure
      return {...settled('a'), ...server.stored}
    })
    const {list, changes, holds, held} = started
    const reports: ConversationChange[][] = []
    changes.on('conversations.changed', (fact) => reports.push(fact.changes))
    list.send({type: 'service.changed', capabilities: ['marks']})
    holds.changes = true
    return {
      ...started,
      ...{asked, server, reports},
      rename: (name: string) => changes.send({type: 'conversation.rename', key: 'a', title: name}),
      hear: (change: ConversationChange) => list.send({type: 'conversations.changed', changes: [change]}),
      settle: async (error?: Error) => {
        const {changing} = changes.getSnapshot().context
        const call = held.shift()
        if (error === undefined) call?.resolve()
        else call?.reject(error)
        await waitFor(changes, (snapshot) => snapshot.context.changing !== changing)
      },
      shown: () => list.getSnapshot().context.items[0],
      rests: () => waitFor(changes, ({context: {crossed}}) => crossed.length === 0),
    }
  }

  for (const last of ['here', 'there'])
    test(`the server is asked which title was the last, and the tabs show it: ${last}`, async () => {
      const {rename, hear, settle, rests, shown, reports, asked} = startCrossing({title: last})
      rename('here')
      hear(title('there'))
      expect(shown()?.title).toBe('there')
      await settle()
      await rests()
      expect([shown()?.title, reports.at(-1), asked]).toEqual([last, [title(last)], ['a']])
    })

  test('a title is told to the other tabs again once the server has it, unless one of them gave a newer one', async () => {
    const {rename, hear, settle, rests, reports} = startCrossing({title: 'there'})
    rename('here')
    expect(reports).toEqual([[title('here')]])
    await settle()
    expect(reports).toEqual([[title('here')], [title('here')]])
    rename('here again')
    hear(title('there'))
    await settle()
    await rests()
    expect(reports.slice(2)).toEqual([[title('here again')], [title('there')]])
  })

  test('an older copy that came during the call is replaced too, and of marks only what crossed', async () => {
    const {changes, hear, settle, rests, shown, reports} = startCrossing({title: 'foo', pinned: true})
    changes.send({type: 'conversations.mark', changes: [{key: 'a', pinned: true}]})
    hear({key: 'a', pinned: false})
    hear(title('newer'))
    await settle()
    await rests()
    expect(shown()).toEqual({
      key: 'a',
      id: 'a',
      model: 'm',
      title: 'newer',
      updatedAt: 1,
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content: 'bar', state: 'finished', id: 'm-a'},
      ],
      pinned: true,
      archived: false,
      labels: [],
    })
    expect(reports.at(-1)).toEqual([{key: 'a', pinned: true, archived: false, labels: []}])
  })

  for (const [away, back] of [
    ['connection.lost', 'connection.restored'],
    ['page.hidden', 'page.shown'],
  ] as const)
    test(`a server that could not be asked is asked again: ${back}`, async () => {
      const comeBack = () => {
        environment.send({type: away})
        environment.send({type: back})
      }
      const {changes, rename, hear, settle, rests, shown, asked, server} = startCrossing({title: 'there'})
      server.failure = new TypeError('Failed to fetch')
      rename('here')
      hear(title('there'))
      hear(title('older'))
      await settle()
      await waitFor(changes, ({children}) => children['finding/a']?.getSnapshot().status === 'done')
      expect([shown()?.title, changes.getSnapshot().context.crossed]).toEqual(['older', ['title:a']])
      server.failure = undefined
      comeBack()
      await rests()
      expect([shown()?.title, asked]).toEqual(['there', ['a', 'a']])
      comeBack()
      expect(asked).toEqual(['a', 'a'])
    })

  test('a conversation that the server does not give is not asked for again', async () => {
    const {rename, hear, settle, rests, shown, asked, server} = startCrossing({})
    server.failure = refusal
    rename('here')
    hear(title('there'))
    await settle()
    await rests()
    environment.send({type: 'connection.lost'})
    environment.send({type: 'connection.restored'})
    expect([shown()?.title, asked]).toEqual(['there', ['a']])
  })

  test('a change that nothing crossed asks nothing', async () => {
    const {rename, hear, settle, asked} = startCrossing({title: 'foo'})
    rename('here')
    hear({key: 'a', pinned: true})
    rename('here again')
    await settle()
    await settle()
    expect(asked).toEqual([])
  })

  test('while a newer title waits nothing is asked; when that is refused, what the server has comes back', async () => {
    for (const isWishedFirst of [true, false]) {
      const {rename, hear, settle, rests, shown, asked} = startCrossing({title: 'here'})
      rename('here')
      if (isWishedFirst) rename('here again')
      hear(title('there'))
      if (!isWishedFirst) rename('here again')
      await settle()
      expect(asked).toEqual([])
      await settle(refusal)
      await rests()
      expect([shown()?.title, asked]).toEqual(['here', ['a']])
    }
  })

  test('a title that is given while the server is asked stays', async () => {
    const {changes, rename, hear, settle, shown, server} = startCrossing({title: 'there'})
    rename('here')
    hear(title('there'))
    await settle()
    rename('newest')
    await waitFor(changes, ({children}) => children['finding/a']?.getSnapshot().status === 'done')
    expect(shown()?.title).toBe('newest')
    server.stored = {title: 'newest'}
    await settle()
    expect([shown()?.title, changes.getSnapshot().context.crossed]).toEqual(['newest', []])
  })
})

describe('a reading of the list that began before the server took a change', () => {
  function startReading() {
    const readings: ((records: ConversationRecord[]) => void)[] = []
    const started = startChanges(
      [settled('a'), settled('b')],
      undefined,
      () => new Promise<ConversationRecord[]>((resolve) => readings.push(resolve)),
    )
    const {list, changes, holds} = started
    list.send({type: 'service.changed', capabilities: ['marks']})
    holds.changes = true
    const mark = (change: ConversationChange) => changes.send({type: 'conversations.mark', changes: [change]})
    const read = async (records: ConversationRecord[]) => {
      readings.at(-1)?.(records)
      await waitFor(list, (snapshot) => snapshot.matches('success'))
    }
    const shown = () => list.getSnapshot().context.items.map(({pinned, labels, title}) => ({pinned, labels, title}))
    return {...started, mark, read, shown}
  }

  const copies = [{...settled('a'), pinned: false, labels: []}, settled('b')]

  test('shows marks and title as they were given, also those that wait for the call before them', async () => {
    const {list, changes, mark, read, shown, calls, held} = startReading()
    mark({key: 'a', pinned: true})
    mark({key: 'a', labels: ['foo']})
    changes.send({type: 'conversation.rename', key: 'b', title: 'Boats'})
    list.send({type: 'credential.ready'})
    await read(copies)
    expect(shown()).toEqual([
      {pinned: true, labels: ['foo'], title: 'title of a'},
      {pinned: undefined, labels: undefined, title: 'Boats'},
    ])
    held.shift()?.resolve()
    await waitFor(changes, ({context}) => context.changing['marks:a'] === null)
    expect(calls).toEqual(['mark a {"pinned":true}', 'rename b Boats', 'mark a {"labels":["foo"]}'])
  })

  test('shows a mark that the server takes before the reading ends, also where the reading began again', async () => {
    const {list, changes, mark, read, shown, held} = startReading()
    mark({key: 'a', pinned: true})
    list.send({type: 'credential.ready'})
    list.send({type: 'conversations.refresh'})
    held.shift()?.resolve()
    await waitFor(changes, ({context}) => !('marks:a' in context.changing))
    await read(copies)
    expect(shown()[0]?.pinned).toBe(true)
  })

  test('leaves what another tab has changed, and what the server had taken before', async () => {
    const {list, changes, mark, read, shown, held} = startReading()
    changes.send({type: 'conversation.rename', key: 'b', title: 'Boats'})
    list.send({type: 'conversations.changed', changes: [{key: 'b', title: 'Kites'}]})
    mark({key: 'a', pinned: true})
    held.at(-1)?.resolve()
    await waitFor(changes, ({context}) => !('marks:a' in context.changing))
    list.send({type: 'credential.ready'})
    await read([
      {...settled('a'), pinned: false},
      {...settled('b'), title: 'Kites'},
    ])
    expect(shown().map(({pinned, title}) => pinned ?? title)).toEqual([false, 'Kites'])
  })
})
