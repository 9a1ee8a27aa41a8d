import {describe, expect, test} from 'vitest'
import {mostFiles} from '#domain/attachment-limit.ts'
import {draftFilesMachine, selectUpload} from '#machines/draft-files/draft-files.machine.ts'
import type {DraftFilesEvent, FileReference, NewFile} from '#machines/draft-files/draft-files.types.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'
import {fileOf, startDraftFiles} from './draft-files-fixtures.ts'

const reference = (name: string) => ({url: `https://foo.example/${name}`, name, size: 3})
const many = Array.from({length: mostFiles + 1}, (_, index) => fileOf(`m${index}`))

const events = {
  'files.add': [
    {type: 'files.add', files: [fileOf('a')], hasFolders: false},
    {type: 'files.add', files: [], hasFolders: true},
    {type: 'files.add', files: many, hasFolders: false},
  ],
  'file.retry': [{type: 'file.retry', id: 'a'}],
  'file.remove': [{type: 'file.remove', id: 'a'}],
  'draft.followed': [
    {type: 'draft.followed', references: [reference('r')], ids: ['r']},
    {type: 'draft.followed', references: [{...reference('l'), url: 'lost:3/l'}], ids: ['l']},
    {type: 'draft.followed', references: [], ids: []},
  ],
  'files.refused': [{type: 'files.refused', names: ['a.pdf']}],
  'send.held': [{type: 'send.held'}],
  'draft.edited': [{type: 'draft.edited'}],
  'draft.closed': [{type: 'draft.closed'}],
  'upload.settled': [{type: 'upload.settled', id: 'a', field: 'draft', url: 'https://foo.example/a.pdf'}],
  'upload.failed': [{type: 'upload.failed', id: 'a', field: 'draft'}],
} satisfies EventFixtures<DraftFilesEvent>

describe('the files of a draft', () => {
  const {states, edges, coverage} = describeRules(draftFilesMachine, {
    user: ['files.add', 'file.retry', 'file.remove', 'send.held', 'draft.edited'],
    input: {largestFile: 10},
    events: Object.values(events).flat(),
    key: ({context: {files, leftOut, presses}}) => [
      files.map(({id, url, upload}) => [id, url === undefined, upload === 'failed']),
      leftOut?.why,
      presses > 0,
    ],
    // a file is added once: its id is new
    stop: ({context: {files}}) => new Set(files.map(({id}) => id)).size < files.length,
  })

  test('every transition is taken', () => expect(coverage.missing(draftFilesMachine)).toEqual([]))

  test('a message has no more files than it may have', () => {
    expect(states.filter(({context}) => context.files.length > mostFiles)).toEqual([])
  })

  test('until it ends it is ready, or unsent, exactly when all of its files are uploaded', () => {
    const wrong = states.filter(
      (state) =>
        state.status === 'active' &&
        (state.matches('ready') || state.matches('unsent')) !==
          (state.context.files.length > 0 &&
            state.context.files.every(({url}) => url !== undefined && !url.startsWith('lost:'))),
    )
    expect(wrong).toEqual([])
  })

  test('it ends only with its message', () => {
    const ends = edges.filter(({nextState}) => nextState.status === 'done')
    expect(new Set(ends.map(({event}) => event.type))).toEqual(new Set(['draft.closed']))
  })

  test('it is held or unsent only after Send was pressed on its files', () => {
    const isRefused = ({value}: {value: unknown}) => value === 'held' || value === 'unsent'
    const begins = edges.filter(({state, nextState}) => !isRefused(state) && isRefused(nextState))
    expect(new Set(begins.map(({event}) => event.type))).toEqual(new Set(['send.held']))
    expect(begins.filter(({state}) => state.matches('empty'))).toEqual([])
  })

  test('each press counts as long as the message is held or unsent, and no longer', () => {
    const wrong = states.filter(
      (state) => (state.matches('held') || state.matches('unsent')) !== state.context.presses > 0,
    )
    expect(wrong.filter(({status}) => status === 'active')).toEqual([])
  })

  test('an uploaded file goes only by the user or the draft', () => {
    const lost = edges.filter(
      ({state, event, nextState}) =>
        !['file.remove', 'draft.followed'].includes(event.type) &&
        state.context.files.some(
          ({id, url}) => url !== undefined && !nextState.context.files.some((file) => file.id === id),
        ),
    )
    expect(lost).toEqual([])
  })
})

test('files travel beside each other, and one that failed is sent again alone', async () => {
  const {actor, sent, finish, state} = startDraftFiles()
  actor.send({type: 'files.add', files: [fileOf('a'), fileOf('b')], hasFolders: false})
  const [first, second] = [await sent('a'), await sent('b')]
  finish(second, 'b-url')
  first.error(new Error('foo'))
  expect([state(), selectUpload(actor.getSnapshot(), 'a')?.getSnapshot().hasTag('failed')]).toEqual(['waiting', true])
  actor.send({type: 'file.retry', id: 'a'})
  finish(await sent('a', 2), 'a-url')
  expect(state()).toBe('ready')
  expect(actor.getSnapshot().context.files.map(({url}) => url)).toEqual(['a-url', 'b-url'])
})

test('two travel at once and in order; the next goes when one is there, fails or is removed', async () => {
  const {actor, sent, finish, state, started} = startDraftFiles()
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  actor.send({type: 'files.add', files: names.slice(0, 4).map((name) => fileOf(name)), hasFolders: false})
  actor.send({type: 'files.add', files: names.slice(4).map((name) => fileOf(name)), hasFolders: false})
  const [first, second] = [await sent('a'), await sent('b')]
  expect(started()).toEqual(['a', 'b'])
  finish(second, 'b-url')
  const third = await sent('c')
  first.error(new Error('foo'))
  const fourth = await sent('d')
  expect(started()).toEqual(['a', 'b', 'c', 'd'])
  // one that waits is removed: no slot is free
  actor.send({type: 'file.remove', id: 'e'})
  actor.send({type: 'file.remove', id: 'd'})
  expect(fourth.observed).toBe(false)
  const last = await sent('f')
  expect(started()).toEqual(['a', 'b', 'c', 'd', 'f'])
  // nothing is asked twice of one that travels
  actor.send({type: 'file.retry', id: 'c'})
  actor.send({type: 'file.retry', id: 'a'})
  finish(await sent('a', 2), 'a-url')
  finish(last, 'f-url')
  finish(third, 'c-url')
  expect(state()).toBe('ready')
  expect(actor.getSnapshot().context.files.map(({url}) => url)).toEqual(['a-url', 'b-url', 'c-url', 'f-url'])
})

test('one that is removed is taken off its way, and so are all with the end of the draft', async () => {
  const {actor, sent, state} = startDraftFiles()
  actor.send({type: 'files.add', files: [fileOf('a'), fileOf('b')], hasFolders: false})
  const [first, second] = [await sent('a'), await sent('b')]
  actor.send({type: 'file.remove', id: 'a'})
  expect([first.observed, second.observed, state()]).toEqual([false, true, 'waiting'])
  actor.stop()
  expect(second.observed).toBe(false)
})

test('an empty file is never sent and holds the message until it is removed', () => {
  const {actor, state} = startDraftFiles()
  actor.send({type: 'files.add', files: [fileOf('a', 0)], hasFolders: false})
  expect([state(), selectUpload(actor.getSnapshot(), 'a')?.getSnapshot().hasTag('refused')]).toEqual(['waiting', true])
  actor.send({type: 'file.remove', id: 'a'})
  expect(state()).toBe('empty')
})

test('a file that is larger than the server takes is never sent; the others are', async () => {
  const {actor, sent, finish, state} = startDraftFiles(10)
  actor.send({type: 'files.add', files: [fileOf('a', 11), fileOf('b', 10)], hasFolders: false})
  finish(await sent('b'), 'b-url')
  const upload = selectUpload(actor.getSnapshot(), 'a')?.getSnapshot()
  expect([state(), upload?.context.fault]).toEqual(['waiting', {kind: 'size', maxBytes: 10}])
  actor.send({type: 'file.remove', id: 'a'})
  expect([state(), actor.getSnapshot().context.files.map(({url}) => url)]).toEqual(['ready', ['b-url']])
})

test('where the server names no largest file, one of any size is sent', async () => {
  const {actor, sent} = startDraftFiles()
  actor.send({type: 'files.add', files: [fileOf('a', 1_000_000_000)], hasFolders: false})
  expect((await sent('a')).observed).toBe(true)
})

describe('files that are refused by themselves take no slot of those that go', () => {
  const several = (count: number, size: number, name = 'f') =>
    Array.from({length: count}, (_, index) => fileOf(`${name}${size}-${index}`, size))
  const add = (actor: ReturnType<typeof startDraftFiles>['actor'], ...files: NewFile[]) => {
    actor.send({type: 'files.add', files, hasFolders: false})
    const {context} = actor.getSnapshot()
    return [context.files.length, context.leftOut?.why]
  }

  test('empty and too large ones, added before or with the others', () => {
    const {actor} = startDraftFiles(10)
    expect(add(actor, fileOf('empty', 0))).toEqual([1, undefined])
    expect(add(actor, fileOf('large', 11), ...several(mostFiles, 10))).toEqual([mostFiles + 2, undefined])
    expect(add(actor, fileOf('a'))).toEqual([mostFiles + 2, 'tooMany'])
  })

  test('those that found no room are named, in order', () => {
    const {actor} = startDraftFiles()
    add(actor, ...several(mostFiles + 2, 3))
    expect(actor.getSnapshot().context.leftOut).toEqual({why: 'tooMany', names: ['f3-10.pdf', 'f3-11.pdf']})
  })

  test('as many of them are shown as a message may have', () => {
    const {actor} = startDraftFiles()
    expect(add(actor, ...several(mostFiles + 1, 0))).toEqual([mostFiles, 'tooMany'])
    expect(add(actor, ...several(mostFiles, 3))).toEqual([2 * mostFiles, undefined])
  })

  test.each([
    ['415: the file', {code: 'unsupported_media_type', detail: 'foo', status: 415}, [mostFiles + 1, undefined]],
    ['500: it can be sent again', {code: 'internal', detail: 'foo', status: 500}, [mostFiles, 'tooMany']],
  ] as const)('the server refuses with %s', async (_what, failure, expected) => {
    const {actor, sent} = startDraftFiles()
    add(actor, fileOf('a'), ...several(mostFiles - 1, 3))
    ;(await sent('a')).error(failure)
    expect(add(actor, fileOf('b'))).toEqual(expected)
  })

  test('a file that an earlier page lost holds the message until it is taken out', () => {
    const {actor} = startDraftFiles()
    const lost = {url: 'lost:3/a.pdf', name: 'a.pdf', size: 3}
    actor.send({type: 'draft.followed', references: [reference('r'), lost], ids: ['r', 'l']})
    expect(actor.getSnapshot().value).toBe('waiting')
    actor.send({type: 'file.retry', id: 'l'})
    expect(actor.getSnapshot().value).toBe('waiting')
    actor.send({type: 'file.remove', id: 'l'})
    expect(actor.getSnapshot().value).toBe('ready')
  })

  test('a refused file is not sent again, and the draft has the slot of it', async () => {
    const {actor, sent} = startDraftFiles()
    add(actor, fileOf('a'), ...several(mostFiles - 1, 3))
    ;(await sent('a')).error({code: 'unsupported_media_type', detail: 'foo', status: 415})
    actor.send({type: 'file.retry', id: 'a'})
    expect(selectUpload(actor.getSnapshot(), 'a')?.getSnapshot().hasTag('failed')).toBe(true)
    actor.send({type: 'draft.followed', references: [reference('r'), reference('s')], ids: ['r', 's']})
    const {context} = actor.getSnapshot()
    expect([context.files.length, context.leftOut?.why]).toEqual([mostFiles + 1, 'tooMany'])
  })
})

describe('a draft that is followed', () => {
  const lost = (id?: string) => ({url: 'lost:3/a.pdf', name: 'a.pdf', size: 3, id})
  const follow = (actor: ReturnType<typeof startDraftFiles>['actor'], ...references: FileReference[]) => {
    const before = actor.getSnapshot().context.files.length
    const ids = references.map(({id}, index) => id ?? `new-${before}-${index}`)
    actor.send({type: 'draft.followed', references, ids})
    const {context, children} = actor.getSnapshot()
    return {files: context.files.map(({id, name}) => [id, name]), children: Object.keys(children)}
  }

  test('each file has an id of its own, also those that came after', () => {
    const {actor} = startDraftFiles()
    follow(actor, lost('a'))
    expect(follow(actor, lost('a'), reference('r')).files).toEqual([
      ['a', 'a.pdf'],
      ['new-1-1', 'r'],
    ])
  })

  test('a lost file that was chosen again elsewhere is another upload; a draft of an earlier version names none', () => {
    const {actor} = startDraftFiles()
    follow(actor, lost('a'))
    expect(follow(actor, lost())).toEqual({files: [['a', 'a.pdf']], children: ['lostFile/a']})
    expect(follow(actor, lost('b'))).toEqual({files: [['b', 'a.pdf']], children: ['lostFile/b']})
  })

  test('two lost files of one name and size stay two', () => {
    const {actor} = startDraftFiles()
    follow(actor, lost('a'), lost('b'))
    expect(follow(actor, lost('a'), lost('b')).files.map(([id]) => id)).toEqual(['a', 'b'])
  })

  test('the files have its order, and one that is on its way here stays behind its neighbour', () => {
    const {actor} = startDraftFiles()
    const [r, s] = [reference('r'), reference('s')]
    follow(actor, lost('a'), r)
    actor.send({type: 'files.add', files: [fileOf('x')], hasFolders: false})
    const names = (...references: FileReference[]) => follow(actor, ...references).files.map(([, name]) => name)
    expect(names({...reference('a.pdf')}, r, s)).toEqual(['a.pdf', 'r', 'x.pdf', 's'])
    expect(names(s, {...lost('y'), url: 'lost:3/x.pdf'}, r)).toEqual(['s', 'x.pdf', 'r'])
  })
})
