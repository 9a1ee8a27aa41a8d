import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {mostImportMessages} from '#contract/imports.ts'
import type {ImportConversation, ImportRead} from '#domain/import-conversation.ts'
import {partsOf, readImport} from '#domain/import-file.ts'
import {bytesOf} from '#domain/import-size.ts'

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/imports/${name}.json`, import.meta.url), 'utf8'))
const read = (file: unknown): ImportRead => {
  const result = readImport(file)
  if ('fault' in result) throw new Error(`The file is ${result.fault}`)
  return result
}
const lines = ({messages}: Pick<ImportConversation, 'messages'>) =>
  messages.map(({role, content, parent}) => [role, content, parent])

describe("ChatGPT's export", () => {
  const {source, conversations, faulty} = read(fixture('chatgpt'))
  const [kites, weather] = conversations

  test('is recognised; conversations without a message are named', () => {
    expect([source, conversations.length]).toEqual(['chatgpt', 2])
    expect(faulty).toEqual([{title: 'Nothing said', fault: 'empty'}])
  })
  test('has its facts', () => {
    expect({...kites, messages: []}).toEqual({
      source: 'chatgpt',
      messages: [],
      current: 4,
      lost: 0,
      source_id: '6a1f0c1e-1111-4222-8333-944445555666',
      title: 'Kites in the wind',
      model: 'gpt-4o',
      created_at: 1_712_000_000.123,
      updated_at: 1_712_000_600.5,
    })
    expect([weather?.title, weather?.model, weather?.current]).toEqual(['الطقس', 'gpt-4-turbo', 1])
  })
  test('keeps versions; thoughts, calls and images of tools are one answer; hidden messages are left out', () => {
    expect(kites && lines(kites)).toEqual([
      ['user', 'Why do kites fly?', null],
      ['assistant', 'Because of **lift**.', 0],
      ['assistant', '<think>\n**Forces**\n\nLift and drag.\n</think>\n\nLift, drag and a string.', 0],
      [
        'user',
        [
          {type: 'text', text: 'Draw it like this'},
          {type: 'image_url', image_url: 'archive:file-AbC123'},
          {type: 'file_url', file_url: 'archive:file-Zyx987'},
        ],
        2,
      ],
      [
        'assistant',
        [
          {type: 'text', text: 'Here is your kite.'},
          {type: 'image_url', image_url: 'archive:file_00000000aa11'},
        ],
        3,
      ],
    ])
    expect(kites?.current).toBe(4)
    expect(kites?.messages.map(({model}) => model)).toEqual([undefined, 'gpt-4', 'o3', undefined, 'gpt-4o'])
  })
})

describe("LobeChat's export", () => {
  test('of tables in `state`', () => {
    const {source, conversations} = read(fixture('lobechat-sessions'))
    expect([source, conversations.map(({title}) => title)]).toEqual(['lobechat', ['Gardener', 'Roses']])
    const roses = conversations[1]
    expect(roses && lines(roses)).toEqual([
      ['user', 'How often do I water roses?', null],
      ['assistant', 'Twice a week.', 0],
      ['assistant', 'Once a week.', 0],
      ['user', 'And in winter?', 2],
      ['assistant', '', 3],
    ])
    expect({...roses, messages: []}).toEqual({
      source: 'lobechat',
      source_id: 'top-1',
      title: 'Roses',
      created_at: 1_700_000_100,
      updated_at: 1_700_000_305,
      messages: [],
      model: 'gpt-4',
      preset: 'You know plants.',
      pinned: true,
      current: 4,
      lost: 1,
    })
    expect(roses?.messages[4]).toEqual({
      state: 'failed',
      error: {message: 'The key is wrong', code: 'unknown'},
      role: 'assistant',
      content: '',
      created_at: 1700000305,
      outcome: 'refused',
      parent: 3,
    })
    expect(roses?.messages[0]?.created_at).toBe(1_700_000_100)
  })
  test('of tables in `data`', () => {
    const {conversations} = read(fixture('lobechat-pglite'))
    expect(conversations.map(({title, source_id: id}) => [title, id])).toEqual([
      ['Green tea', 'tpc_1'],
      ['Aside', 'tpc_1/thd_1'],
    ])
    expect(conversations[0] && lines(conversations[0])).toEqual([
      ['user', 'How hot?', null],
      ['assistant', '<think>\nGreen, so below boiling.\n</think>\n\nLet me look.\n\n80 °C.', 0],
    ])
    expect({...conversations[0], messages: []}).toEqual({
      source: 'lobechat',
      source_id: 'tpc_1',
      title: 'Green tea',
      created_at: 1_740_823_500,
      updated_at: 1_740_823_504,
      model: 'deepseek-r1',
      preset: 'Answer politely.',
      messages: [],
      current: 1,
      lost: 1,
    })
  })
})

describe('our own file', () => {
  const own = (conversation: object, version = 2) => ({
    format: 'atrium-conversations',
    version,
    conversations: [{id: 'c-1', model: 'foo', ...conversation}],
  })
  test('of version 1 is one path', () => {
    const messages = ['a', 'b', 'c'].map((content) => ({role: 'user', content}))
    expect(lines(read(own({messages}, 1)).conversations[0] ?? {messages: []})).toEqual([
      ['user', 'a', null],
      ['user', 'b', 0],
      ['user', 'c', 1],
    ])
  })
  test('of a newer version is not guessed at', () => {
    expect(readImport(own({}, 3))).toEqual({fault: 'newer'})
  })
  test('has attachments beside it, at an address, and in the older form of the wire', () => {
    const content = [
      {type: 'image_url', image_url: 'files/kite.png'},
      {type: 'file_url', file_url: {url: 'https://foo.test/a.pdf'}},
      {type: 'file_url', file_url: 'javascript:alert(1)'},
      {type: 'image_url', image_url: 'data:text/html,x'},
      {type: 'file_url', file_url: '../../etc/passwd'},
    ]
    expect(read(own({messages: [{role: 'user', content}]})).conversations[0]?.messages[0]?.content).toEqual([
      {type: 'image_url', image_url: 'archive:files/kite.png'},
      {type: 'file_url', file_url: 'https://foo.test/a.pdf'},
      // a name in the archive, and nothing else
      {type: 'file_url', file_url: 'archive:../../etc/passwd'},
    ])
  })
  test('has no answer that runs', () => {
    const messages = [{role: 'assistant', content: 'half', state: 'answering'}]
    expect(read(own({messages})).conversations[0]?.messages[0]).toEqual({
      state: 'failed',
      outcome: 'interrupted',
      role: 'assistant',
      content: 'half',
      parent: null,
    })
  })
})

describe('hostile files', () => {
  test.each([null, 1, 'x', [], {}, [1, null], {mapping: {}}, {exportType: 'all'}, {data: {messages: 1, topics: []}}])(
    '%j is no export file',
    (file) => expect(readImport(file)).toEqual({fault: 'unknown'}),
  )
  const message = (content: unknown) => ({author: {role: 'user'}, content: {content_type: 'text', parts: [content]}})
  const conversation = (mapping: unknown, more = {}) => read([{id: 'c', mapping, ...more}])

  test('a circle of parents is cut', () => {
    const {conversations} = conversation({
      a: {parent: 'c', children: ['b'], message: message('a')},
      b: {parent: 'a', children: ['c'], message: message('b')},
      c: {parent: 'b', children: ['a'], message: message('c')},
      self: {parent: 'self', children: ['self'], message: message('self')},
    })
    expect(lines(conversations[0] ?? {messages: []})).toEqual([
      ['user', 'a', null],
      ['user', 'b', 0],
      ['user', 'c', 1],
      ['user', 'self', null],
    ])
  })
  test('a circle without messages, and missing parents, count as none', () => {
    const {conversations} = conversation(
      {
        x: {parent: 'y', message: null},
        y: {parent: 'x', message: null},
        a: {parent: 'x', message: message('a')},
        b: {parent: 'nobody', message: message('b')},
      },
      {current_node: 'x'},
    )
    expect(lines(conversations[0] ?? {messages: []})).toEqual([
      ['user', 'a', null],
      ['user', 'b', null],
    ])
    expect(conversations[0]?.current).toBeUndefined()
  })
  test('__proto__ is a key like any other', () => {
    const file: unknown = JSON.parse(
      '[{"id":"c","__proto__":{"polluted":1},"mapping":{"__proto__":{"parent":null,"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["hi"]}}},"constructor":{"parent":"__proto__","message":null}}}]',
    )
    expect(lines(read(file).conversations[0] ?? {messages: []})).toEqual([['user', 'hi', null]])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
  test('hundreds of thousands of levels, in a chain and in a value', () => {
    const mapping: Record<string, unknown> = {}
    for (let index = 0; index < 300_000; index += 1)
      mapping[`n${index}`] = {parent: `n${index - 1}`, message: index % 100_000 === 0 ? message(`m${index}`) : null}
    const {conversations} = conversation(mapping)
    expect(lines(conversations[0] ?? {messages: []}).map(([, content]) => content)).toEqual([
      'm0',
      'm100000',
      'm200000',
    ])
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(conversation({a: {parent: null, message: message(deep)}}).faulty).toEqual([{title: '', fault: 'empty'}])
  })
  test('wrong types, times that are none and texts that no database holds', () => {
    const {conversations} = conversation(
      {a: {parent: 7, children: 'x', message: {...message('a\0b\uD800c'), create_time: Number.NaN, metadata: []}}},
      {
        title: `${'x'.repeat(399)}\u{1F600} ${'y'.repeat(1_000_000)}`,
        create_time: 'soon',
        update_time: 1e300,
        default_model_slug: {},
      },
    )
    expect(conversations[0]?.messages).toEqual([{role: 'user', content: 'ab\uFFFDc', parent: null}])
    expect(conversations[0]?.title).toBe('x'.repeat(399))
    expect(conversations[0]).not.toHaveProperty('created_at')
    expect(conversations[0]).not.toHaveProperty('updated_at')
  })
  test('a code of very many runs of backticks has a longer fence', () => {
    const code = {content_type: 'code', language: 'sh', text: `\`\`\`\`${' `'.repeat(200_000)}`}
    const {conversations} = conversation({a: {parent: null, message: {author: {role: 'assistant'}, content: code}}})
    expect(conversations[0]?.messages[0]?.content).toMatch(/^`{5}sh\n````/)
  })
  test('marks of sources that never end take no time', () => {
    const {conversations} = conversation({
      a: {parent: null, message: message('\uE200'.repeat(200_000))},
      b: {parent: 'a', message: message('【1†'.repeat(100_000))},
      c: {parent: 'b', message: message('a \uE200\uE200cite\uE202turn0\uE201b 【12†source】c')},
    })
    expect(conversations[0]?.messages).toHaveLength(3)
    expect(conversations[0]?.messages[2]?.content).toBe('a \uE200b c')
  }, 2_000)
  test('a conversation that breaks its reader is named, and the others are read', () => {
    const broken = {id: 'broken', title: 'Broken', mapping: {a: {parent: null, message: message('x')}}}
    Object.defineProperty(broken, 'create_time', {
      get: () => {
        throw new RangeError('foo')
      },
    })
    const {conversations, faulty} = read([broken, {id: 'c', mapping: {a: {parent: null, message: message('y')}}}])
    expect(conversations.map(({source_id: id}) => id)).toEqual(['c'])
    expect(faulty).toEqual([{title: 'Broken', fault: 'unreadable'}])
  })
  test('too many messages, a message that is too long, no id, and one conversation twice', () => {
    const many = Object.fromEntries(
      Array.from({length: mostImportMessages + 1}, (_, index) => [
        `n${index}`,
        {parent: `n${index - 1}`, message: message('x')},
      ]),
    )
    const one = {a: {parent: null, message: message('x')}}
    const {conversations, faulty} = read([
      {id: 'many', title: 'Many', mapping: many},
      {id: 'long', title: 'Long', mapping: {a: {parent: null, message: message('字'.repeat(320_000))}}},
      {title: 'Nameless', mapping: one},
      {id: 'twice', mapping: one},
      {id: 'twice', mapping: one},
    ])
    expect(conversations.map(({source_id: id}) => id)).toEqual(['twice'])
    expect(faulty).toEqual([
      {title: 'Many', fault: 'tooMany'},
      {title: 'Long', fault: 'tooLong'},
      {title: 'Nameless', fault: 'unreadable'},
    ])
  })
})

test('a long conversation is sent in parts that requests hold', () => {
  const messages = Array.from({length: 40}, (_, index) => ({
    role: 'user' as const,
    content: `${index}${'ж'.repeat(20_000)}`,
    parent: index === 0 ? null : index - 1,
  }))
  const parts = partsOf({source: 'chatgpt', source_id: 'c', model: 'foo', messages, lost: 0})
  expect(parts.length).toBeGreaterThan(3)
  expect(parts.flatMap((part) => part.messages)).toEqual(messages)
  expect(parts.map(({from, total}) => [from, total])).toEqual(
    parts.map((_, index) => [parts.slice(0, index).reduce((sum, part) => sum + part.messages.length, 0), 40]),
  )
  for (const part of parts) expect(bytesOf(part)).toBeLessThan(260_000)
})

test.each(['x', 'é', '字', '\u{1F600}', '\n', '"'])('bytes of JSON are those of UTF-8 (%j)', (text) =>
  expect(bytesOf(text)).toBe(Buffer.byteLength(JSON.stringify(text))),
)
