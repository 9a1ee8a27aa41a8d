import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {partsOf, readImport} from '#domain/import-file.ts'
import {bytesOf} from '#domain/import-size.ts'
import {importOf, linesOf} from './imported-lines.ts'

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/imports/${name}.json`, import.meta.url), 'utf8'))

describe("ChatGPT's export", () => {
  const {source, conversations, faulty} = importOf(fixture('chatgpt'))
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
    expect(kites && linesOf(kites)).toEqual([
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
    const {source, conversations} = importOf(fixture('lobechat-sessions'))
    expect([source, conversations.map(({title}) => title)]).toEqual(['lobechat', ['Gardener', 'Roses']])
    const roses = conversations[1]
    expect(roses && linesOf(roses)).toEqual([
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
    const {conversations} = importOf(fixture('lobechat-pglite'))
    expect(conversations.map(({title, source_id: id}) => [title, id])).toEqual([
      ['Green tea', 'tpc_1'],
      ['Aside', 'tpc_1/thd_1'],
    ])
    expect(conversations[0] && linesOf(conversations[0])).toEqual([
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
  const own = (conversation: object, version = 3) => ({
    format: 'atrium-conversations',
    version,
    conversations: [{id: 'c-1', model: 'foo', ...conversation}],
  })
  test('of version 1 is one path', () => {
    const messages = ['a', 'b', 'c'].map((content) => ({role: 'user', content}))
    expect(linesOf(importOf(own({messages}, 1)).conversations[0] ?? {messages: []})).toEqual([
      ['user', 'a', null],
      ['user', 'b', 0],
      ['user', 'c', 1],
    ])
  })
  test('says of an answer that it is a demonstration and how long its reasoning took, from version 3 on', () => {
    const asked = {role: 'user', content: 'a'}
    const readOf = (facts: object, version?: number) => {
      const answer = {role: 'assistant', content: 'b', parent: 0, ...facts}
      return importOf(own({messages: [{...asked, parent: null}, answer]}, version)).conversations[0]?.messages[1]
    }
    expect(readOf({sandbox: true, thought_ms: 900})).toMatchObject({sandbox: true, thought_ms: 900})
    for (const facts of [{}, {sandbox: 'foo', thought_ms: -1}, {sandbox: false, thought_ms: 0.5}])
      expect(readOf(facts, 2)).toEqual({role: 'assistant', content: 'b', parent: 0, state: 'finished'})
  })
  test('with what a later build adds is read without it', () => {
    const added = {foo: {bar: [1]}}
    const asked = {
      role: 'user',
      content: [
        {type: 'text', text: 'a', ...added},
        {type: 'song_url', ...added},
      ],
    }
    const answer = {role: 'assistant', content: 'b', parent: 0, error: {code: 'c', ...added}, outcome: 'foo', ...added}
    const messages = [{...asked, parent: null, ...added}, answer]
    const file = {...own({messages, ...added}), ...added}
    expect(importOf(file).conversations).toEqual(
      importOf(
        own({
          messages: [
            {role: 'user', content: [{type: 'text', text: 'a'}], parent: null},
            {role: 'assistant', content: 'b', parent: 0, error: {code: 'c'}},
          ],
        }),
      ).conversations,
    )
    expect(importOf(file).conversations[0]?.messages).toHaveLength(2)
  })
  test('of a newer version is not guessed at', () => {
    expect(readImport(own({}, 4))).toEqual({fault: 'newer'})
  })
  test('has attachments beside it, at an address, and in the older form of the wire', () => {
    const content = [
      {type: 'image_url', image_url: 'files/kite.png'},
      {type: 'file_url', file_url: {url: 'https://foo.test/a.pdf'}},
      {type: 'file_url', file_url: 'javascript:alert(1)'},
      {type: 'image_url', image_url: 'data:text/html,x'},
      {type: 'file_url', file_url: '../../etc/passwd'},
    ]
    expect(importOf(own({messages: [{role: 'user', content}]})).conversations[0]?.messages[0]?.content).toEqual([
      {type: 'image_url', image_url: 'archive:files/kite.png'},
      {type: 'file_url', file_url: 'https://foo.test/a.pdf'},
      // a name in the archive, and nothing else
      {type: 'file_url', file_url: 'archive:../../etc/passwd'},
    ])
  })
  test('has no answer that runs', () => {
    const messages = [{role: 'assistant', content: 'half', state: 'answering'}]
    expect(importOf(own({messages})).conversations[0]?.messages[0]).toEqual({
      state: 'failed',
      outcome: 'interrupted',
      role: 'assistant',
      content: 'half',
      parent: null,
    })
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
