import {describe, expect, test} from 'vitest'
import {drawBlows} from '../cluster/chaos.ts'
import {readOptions} from '../cluster/options.ts'
import type {CutOff} from '../cluster/cut-off.ts'
import {judge, type Evidence} from '../cluster/oracle.ts'
import {emptyRecords} from '../cluster/records.ts'
import type {Stored} from '../cluster/stored.ts'
import type {Purchase} from '../server/kill-loop.provider.ts'

/* The oracle of `npm run test:cluster` finds what was lost, doubled and changed, and nothing else. */

const note = (request: string) => ({user: 7, request, at: '2026-11-26T02:00:00.000Z'})
const text = 'foo – word 1, '

/** One user who was given one of everything, and a database that agrees. */
type Agreeing = Evidence & {
  given: Map<string, string | undefined>
  sizes: Map<string, number>
  stored: Stored
  purchases: Purchase[]
  cutOffs: CutOff[]
}
const [began, ended, heard] = [1_000_000, 1_010_000, 1_010_100]

function agreeing(): Agreeing {
  const answer = {message_id: 'm', conversation_id: 'c', user_id: 'u', question: 'foo', ended}
  return {
    records: {
      ...emptyRecords(),
      accounts: [{...note('account'), email: 'a@example.test', id: 'u'}],
      questions: [
        {
          ...note('read "foo"'),
          question: 'foo',
          expected: text,
          conversation: 'c',
          message: 'm',
          text,
          lastSeq: 4,
          end: {state: 'finished', outcome: undefined},
          stoppedAt: heard,
        },
      ],
      tasks: [{...note('flux'), prompt: 'owl', id: 't', end: 'succeeded', files: [{path: '/r', hash: 'r'}]}],
      files: [{...note('upload'), name: 'foo.txt', size: 3, hash: 'f', id: 'f', path: '/f'}],
      orders: [{...note('order'), amount: 10, description: 'order-1', id: 'o', state: 'Finished'}],
    },
    stored: {
      users: [{id: 'u', email: 'a@example.test'}],
      questions: [{user_id: 'u', conversation_id: 'c', content: 'foo'}],
      answers: [{...answer, state: 'finished', outcome: null, text, deltas: text, shown: text}],
      tasks: [{id: 't', user_id: 'u', state: 'succeeded', prompt: 'owl', ended}],
      files: [{id: 'f', user_id: 'u', name: 'foo.txt', size: 3}],
      bytes: [
        {name: 'f', size: 3},
        {name: 'r', size: 9},
      ],
      trailingRows: [],
      orders: [
        {id: 'o', user_id: 'u', state: 'Finished', description: 'order-1', amount: '10', granted: '10', payments: 1},
      ],
      broken: {balances: [], holds: [], charges: []},
      deadJobs: [],
    },
    given: new Map([
      ['/r', 'r'],
      ['/f', 'f'],
    ]),
    sizes: new Map([
      ['f', 3],
      ['r', 9],
    ]),
    purchases: [
      {kind: 'answer', prompt: 'foo', at: began},
      {kind: 'image', prompt: 'owl', at: began},
    ],
    cutOffs: [
      {
        ...{node: 'node-1', side: 'database', how: 'silent', at: '2026-11-26T02:00:00.000Z'},
        ...{said: ['nothing', 'no_database', 'no_database'], backAfter: 1},
      },
    ],
    open: 0,
    deaths: [],
  }
}
/** The rules that are broken after a change. */
const brokenBy = (change: (evidence: Agreeing) => void): string[] => {
  const evidence = agreeing()
  change(evidence)
  return judge(evidence).failures.map((failure) => failure.split(': ', 1)[0] ?? '')
}
/** The first of a list that is there. */
const first = <T>([one]: readonly T[]): T => {
  if (one === undefined) throw new Error('It is empty')
  return one
}
const double = <T extends object>(rows: T[], change: Partial<T> = {}) => rows.push({...first(rows), ...change})

const buys =
  (kind: Purchase['kind'], prompt: string) =>
  ({purchases}: Agreeing) =>
    purchases.push({kind, prompt, at: began})

test('what agrees passes, and is counted', () => {
  const {counts, failures} = judge(agreeing())
  expect(failures).toEqual([])
  expect([...counts.values()].reduce((sum, each) => sum + each, 0)).toBeGreaterThan(15)
})

describe('what is lost', () => {
  test.each<[string, (evidence: Agreeing) => void, string]>([
    ['an account', ({stored}) => stored.users.pop(), 'an account is there once'],
    ['a question', ({stored}) => stored.questions.pop(), 'an acknowledged question is there once'],
    ['an answer', ({stored}) => stored.answers.pop(), 'an acknowledged question has its one answer'],
    ['a task', ({stored}) => stored.tasks.pop(), 'an acknowledged task is there once'],
    ['the entry of a file', ({stored}) => stored.files.pop(), 'an acknowledged file is there once'],
    ['the bytes of a file', ({given}) => given.delete('/f'), 'a file gives the same bytes'],
    ['the bytes of a result', ({given}) => given.delete('/r'), 'a result gives the same bytes'],
    ['the bytes in the store', ({sizes}) => sizes.delete('f'), 'the store has the bytes of a file'],
    ['a part of the bytes of a result', ({sizes}) => sizes.set('r', 8), 'the store has the bytes of a file'],
    ['a node', ({cutOffs}) => (first(cutOffs).backAfter = undefined), 'a node that was cut off comes back by itself'],
    ['an order', ({stored}) => stored.orders.pop(), 'an acknowledged order is there once'],
    ['credits', ({stored}) => (first(stored.orders).granted = null), 'credits are booked once for a paid order'],
    ['a payment', ({stored}) => (first(stored.orders).payments = 0), 'credits are booked once for a paid order'],
    ['the end of a stream', ({records}) => delete first(records.questions).end, 'a stream ends'],
    ['the end of a task', ({records}) => delete first(records.tasks).end, 'a task ends as it was said to'],
  ])('the loss of %s breaks its rule', (_what, change, rule) => {
    expect(brokenBy(change)).toContain(rule)
  })
})

describe('what is doubled', () => {
  test.each<[string, (evidence: Agreeing) => void, string]>([
    ['an account', ({stored}) => double(stored.users, {id: 'v'}), 'an account is there once'],
    ['a question', ({stored}) => double(stored.questions), 'an acknowledged question is there once'],
    ['an answer', ({stored}) => double(stored.answers), 'an acknowledged question has its one answer'],
    ['a task', ({stored}) => double(stored.tasks, {id: 's'}), 'an acknowledged task is there once'],
    ['a file', ({stored}) => double(stored.files, {id: 'g'}), 'an upload is there at most once'],
    ['an image without a task', buys('image', 'bat'), 'an image is bought for a wish'],
    ['an image that is paid', buys('image', 'owl'), 'an image is bought at most once'],
    ['an answer without a question', buys('answer', 'bar'), 'an answer is bought for a wish'],
    ['an answer that is paid', buys('answer', 'foo'), 'an answer is bought at most once'],
    ['an order', ({stored}) => double(stored.orders, {id: 'p'}), 'an acknowledged order is there once'],
    ['credits', ({stored}) => (first(stored.orders).granted = '20'), 'credits are booked once for a paid order'],
    ['a payment', ({stored}) => (first(stored.orders).payments = 2), 'credits are booked once for a paid order'],
  ])('a second copy breaks its rule: %s', (_what, change, rule) => {
    expect(brokenBy(change)).toContain(rule)
  })
})

describe('what is changed', () => {
  const finished = 'a finished answer is the one that was heard'
  test.each<[string, (evidence: Agreeing) => void, string]>([
    ['the owner of an account', ({stored}) => (first(stored.users).id = 'v'), 'an account is there once'],
    ['one letter that was heard', ({records}) => (first(records.questions).text = 'foo – word 2, '), finished],
    ['less that was heard', ({records}) => (first(records.questions).text = 'foo – '), finished],
    ['less that is stored', ({stored}) => (first(stored.answers).text = 'foo – '), finished],
    [
      'the answer to another question',
      ({stored}) => (first(stored.answers).question = 'bar'),
      'an acknowledged question has its one answer',
    ],
    [
      'a conversation',
      ({stored}) => (first(stored.questions).conversation_id = 'd'),
      'an acknowledged question is there once',
    ],
    ['an end', ({stored}) => (first(stored.answers).state = 'failed'), 'an answer ends as it was said to'],
    [
      'the deltas',
      ({stored}) => (first(stored.answers).deltas = 'foo'),
      'an answer, its deltas and its message are equal',
    ],
    [
      'the message',
      ({stored}) => (first(stored.answers).shown = 'foo'),
      'an answer, its deltas and its message are equal',
    ],
    ['the end of a task', ({stored}) => (first(stored.tasks).state = 'failed'), 'a task ends as it was said to'],
    ['the bytes of a result', ({given}) => given.set('/r', 'x'), 'a result gives the same bytes'],
    ['the bytes of a file', ({given}) => given.set('/f', 'x'), 'a file gives the same bytes'],
    ['the size of a file', ({stored}) => (first(stored.files).size = 4), 'an acknowledged file is there once'],
    ['what was ordered', ({stored}) => (first(stored.orders).amount = '11'), 'an acknowledged order is there once'],
    ['a paid order', ({stored}) => (first(stored.orders).state = 'Pending'), 'a paid order stays paid'],
    ['the books', ({stored}) => (stored.broken['balances'] = [{id: 'a'}]), 'the books'],
  ])('a change breaks its rule: %s', (_what, change, rule) => {
    expect(brokenBy(change)).toContain(rule)
  })

  test('a cut answer may be heard further than it is stored, and the other way round, but not otherwise', () => {
    const cut = (heard: string, stored: string) =>
      brokenBy((evidence) => {
        const [question, answer] = [first(evidence.records.questions), first(evidence.stored.answers)]
        Object.assign(question, {text: heard, end: {state: 'failed', outcome: 'interrupted'}})
        Object.assign(answer, {state: 'failed', outcome: 'interrupted', text: stored, deltas: stored, shown: stored})
      })
    expect(cut('foo – ', 'foo')).toEqual([])
    expect(cut('foo', 'foo – ')).toEqual([])
    expect(cut('foo', 'fox')).toEqual(['a cut answer is a part of the whole'])
  })

  test('what was not acknowledged may be there once, and no more', () => {
    const unheard = (times: number) =>
      brokenBy(({records, stored}) => {
        for (const name of ['conversation', 'message', 'end'] as const) delete first(records.questions)[name]
        for (let more = 1; more < times; more += 1) double(stored.questions)
        if (times === 0) stored.questions.pop()
      })
    expect([unheard(0), unheard(1), unheard(2)]).toEqual([[], [], ['a question is there at most once']])
  })
})

describe('what comes after the end', () => {
  const stops = 'an acknowledged stop stops'
  const nothing = 'nothing is bought after the end'
  const says = 'a node that is cut off from the database says so'
  test.each<[string, (evidence: Agreeing) => void, string]>([
    ['an image that is bought', ({purchases}) => (purchases[1]!.at = ended + 1_001), nothing],
    ['an answer that is bought', ({purchases}) => (first(purchases).at = ended + 1_001), nothing],
    ['an answer that was stopped', ({stored}) => (first(stored.answers).ended = heard + 1_001), stops],
    ['a stopped answer without an end', ({stored}) => (first(stored.answers).ended = null), stops],
    [
      'a row',
      ({stored}) => stored.trailingRows.push({what: 'delta', of: 'a', seconds: 0.001}),
      'nothing is written after the end',
    ],
    ['a node that thinks it is well', ({cutOffs}) => first(cutOffs).said.push('ready'), says],
    ['a node that says nothing', ({cutOffs}) => (first(cutOffs).said = ['nothing']), says],
  ])('%s', (_what, change, rule) => {
    expect(brokenBy(change)).toEqual([rule])
  })

  test('what was under way at the end may arrive with it, and a short cut need not be known', () => {
    expect(
      brokenBy(({purchases, stored, cutOffs}) => {
        for (const purchase of purchases) purchase.at = ended + 1_000
        first(stored.answers).ended = heard + 1_000
        first(cutOffs).said = []
      }),
    ).toEqual([])
  })
})

test('what never ends, ends by itself, is given up or was wrong at work', () => {
  expect(
    brokenBy((evidence) => {
      Object.assign(evidence, {open: 1, deaths: ['node-1']})
      evidence.stored.deadJobs.push({task: 'foo', error: 'bar'})
    }),
  ).toEqual(['everything ends', 'no job is given up', 'no node ends by itself'])
  const evidence = agreeing()
  evidence.records.faults.push({...note('look at c'), fault: '404'})
  expect(judge(evidence).failures).toEqual([
    'nothing unexpected while at work: 2026-11-26T02:00:00.000Z user 7, look at c: 404',
  ])
})

test('the blows of a seed are always the same, and those of another seed are others', () => {
  expect(drawBlows(5, 300, 3)).toEqual(drawBlows(5, 300, 3))
  expect(drawBlows(5, 300, 3)).not.toEqual(drawBlows(6, 300, 3))
  const many = drawBlows(5, 3_000, 3)
  const kinds = new Set(many.map(({kind}) => kind))
  expect(new Set(many.map(({cut}) => cut)).size).toBe(3)
  // longer than a lease, and shorter
  const cutFor = many.filter(({kind}) => kind === 'cut off from database').map(({lasts}) => lasts)
  expect(Math.max(...cutFor)).toBeGreaterThan(8)
  expect(Math.min(...cutFor)).toBeLessThan(4)
  expect(kinds.size).toBe(11)
})

test('options are read, and a wrong one is said', () => {
  expect(readOptions(['--minutes=2', '--people=20', '--roles=split'], 9)).toEqual({
    seed: 9,
    minutes: 2,
    people: 20,
    roles: ['api', 'api', 'worker'],
    store: 'swift',
  })
  for (const wrong of ['--people=0', '--people=1.5', '--minutes=x', '--seed=-1', '--roles=one', '--store=disk'])
    expect(() => readOptions([wrong], 9)).toThrow(/^--/)
  expect(() => readOptions(['--foo'], 9)).toThrow("'--foo'")
})
