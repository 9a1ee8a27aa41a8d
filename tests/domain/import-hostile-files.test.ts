import {describe, expect, test} from 'vitest'
import {mostImportMessages} from '#contract/imports.ts'
import {readImport} from '#domain/import-file.ts'
import {importOf, linesOf} from './imported-lines.ts'

describe('hostile files', () => {
  test.each([null, 1, 'x', [], {}, [1, null], {mapping: {}}, {exportType: 'all'}, {data: {messages: 1, topics: []}}])(
    '%j is no export file',
    (file) => expect(readImport(file)).toEqual({fault: 'unknown'}),
  )
  const message = (content: unknown) => ({author: {role: 'user'}, content: {content_type: 'text', parts: [content]}})
  const conversation = (mapping: unknown, more = {}) => importOf([{id: 'c', mapping, ...more}])

  test('a circle of parents is cut', () => {
    const {conversations} = conversation({
      a: {parent: 'c', children: ['b'], message: message('a')},
      b: {parent: 'a', children: ['c'], message: message('b')},
      c: {parent: 'b', children: ['a'], message: message('c')},
      self: {parent: 'self', children: ['self'], message: message('self')},
    })
    expect(linesOf(conversations[0] ?? {messages: []})).toEqual([
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
    expect(linesOf(conversations[0] ?? {messages: []})).toEqual([
      ['user', 'a', null],
      ['user', 'b', null],
    ])
    expect(conversations[0]?.current).toBeUndefined()
  })
  test('__proto__ is a key like any other', () => {
    const file: unknown = JSON.parse(
      '[{"id":"c","__proto__":{"polluted":1},"mapping":{"__proto__":{"parent":null,"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["hi"]}}},"constructor":{"parent":"__proto__","message":null}}}]',
    )
    expect(linesOf(importOf(file).conversations[0] ?? {messages: []})).toEqual([['user', 'hi', null]])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
  test('hundreds of thousands of levels, in a chain and in a value', () => {
    const mapping: Record<string, unknown> = {}
    for (let index = 0; index < 300_000; index += 1)
      mapping[`n${index}`] = {parent: `n${index - 1}`, message: index % 100_000 === 0 ? message(`m${index}`) : null}
    const {conversations} = conversation(mapping)
    expect(linesOf(conversations[0] ?? {messages: []}).map(([, content]) => content)).toEqual([
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
    expect(conversations[0]?.title).toBe(`${'x'.repeat(399)}…`)
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
    const {conversations, faulty} = importOf([broken, {id: 'c', mapping: {a: {parent: null, message: message('y')}}}])
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
    const {conversations, faulty} = importOf([
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
