import {describe, expect, test} from 'vitest'
import type {ConversationTree} from '#contract/imports.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {attachmentsOf, fileNameFrom, toExportFile, toMarkdown} from '#domain/conversation-file.ts'

const words = {untitled: 'Untitled', user: 'You', assistant: 'Assistant', system: 'Instructions'}
const image = 'https://hub.example/files/a%20kite.png'
const record: ConversationRecord = {
  key: 'k',
  id: 'c-1',
  model: 'gpt-5',
  title: 'Kites',
  updatedAt: 1_700_000_000,
  pinned: true,
  labels: ['foo'],
  messages: [
    {role: 'system', content: 'Be brief.'},
    {
      role: 'user',
      content: [
        {type: 'text', text: 'What is *this*?'},
        {type: 'image_url', image_url: {url: image}},
        {type: 'file_url', file_url: 'https://elsewhere.example/x[1].pdf?sig=1'},
      ],
    },
    {
      role: 'assistant',
      content: 'A **kite**.',
      state: 'finished',
      model: 'gpt-5',
      id: 'm-2',
      attempt: 3,
      thought_ms: 900,
    },
  ],
}

describe('Markdown', () => {
  test('has a heading for each message, its text as it is, and its attachments as links', () => {
    expect(toMarkdown(record, words, new Map([[image, 'files/a kite.png']]))).toBe(`# Kites

## Instructions

Be brief.

## You

What is *this*?

[a kite.png](<files/a kite.png>)

[x\\[1\\].pdf](<https://elsewhere.example/x[1].pdf?sig=1>)

## Assistant (gpt-5)

A **kite**.
`)
  })
  test('has no heading for an answer that says nothing yet', () => {
    const asked = {role: 'user' as const, content: 'Why?'}
    const running = {role: 'assistant' as const, content: '', state: 'answering' as const, model: 'gpt-5'}
    expect(toMarkdown({...record, messages: [asked, running]}, words)).toBe('# Kites\n\n## You\n\nWhy?\n')
  })
  test('has answers without their reasoning', () => {
    const answers = ['<think>secret</think>\n\nA **kite**.', '<think>only a thought'].map((content) => ({
      role: 'assistant' as const,
      content,
    }))
    expect(toMarkdown({...record, messages: answers}, words)).toBe('# Kites\n\n## Assistant\n\nA **kite**.\n')
  })
  test('of a conversation without a title and words has a name', () => {
    expect(toMarkdown({key: 'k', model: 'm', messages: [], updatedAt: 0}, words)).toBe('# Untitled\n')
  })
})

describe('Markdown keeps messages apart:', () => {
  const exported = (...contents: string[]) => {
    const messages = contents.map(
      (content, index) => ({role: index % 2 === 0 ? 'user' : 'assistant', content}) as const,
    )
    return toMarkdown({...record, messages}, words)
      .replace(/^# Kites\n\n## You\n\n/, '')
      .replace(/\n$/, '')
  }
  test.each([
    ['of backticks', '```js\nlet a', '```js\nlet a\n```'],
    ['of tildes', '~~~~\nlet a\n~~~\n', '~~~~\nlet a\n~~~\n~~~~'],
    ['that holds a shorter one', '````md\n```js\n```', '````md\n```js\n```\n````'],
    ['that is cut off in its end', '```js\nlet a\n``', '```js\nlet a\n``\n```'],
    ['in a list', '1. One\n\n   ```js\n   let a', '1. One\n\n   ```js\n   let a\n   ```'],
    ['that begins an item', '- ```js\n  let a', '- ```js\n  let a\n  ```'],
    ['in a list in a list', '- a\n  and\nlazily\n  - ```\n    b', '- a\n  and\nlazily\n  - ```\n    b\n    ```'],
    ['in a quotation', '> ```js\n> let a', '> ```js\n> let a\n> ```'],
    ['in a quoted list', '> - ```js\n>   let a', '> - ```js\n>   let a\n>   ```'],
    ['of HTML', 'Here:\n<!-- a', 'Here:\n<!-- a\n-->'],
    ['of PHP', '<?php\n\necho 1;', '<?php\n\necho 1;\n?>'],
    ['of a script', '<script>\nlet a', '<script>\nlet a\n</script>'],
  ])('an open block %s is closed', (_, open, closed) => expect(exported(open)).toBe(closed))
  test.each([
    ['```js\nlet a\n```'],
    ['`` ` ``\n``` a ` b'],
    ['> ```\n> a\n\nThe quotation has ended'],
    ['- ```\n  a\n\nThe list has ended'],
    ['    ```\n    indented code'],
    ['~~~\n~~~ \n'],
    ['a <!-- b --> c'],
    ['<pre>a</pre>'],
    ['* * *\n---'],
  ])('a text without an open block stays (%j)', (text) => expect(exported(text)).toBe(text))
  test.each([
    ['## You', '\\## You'],
    ['a\r  ##\tAssistant (gpt-5) ##', 'a\r  \\##\tAssistant (gpt-5) ##'],
    ['Instructions\n---', 'Instructions\n\\---'],
  ])('a heading that a message has is no part of the text (%j)', (text, escaped) =>
    expect(exported(text, text)).toBe(`${escaped}\n\n## Assistant\n\n${escaped}`),
  )
  test.each([
    ['## Your kite\n# You\n### You\n##You'],
    ['```\n## You\n```'],
    ['> ## You'],
    ['- ## You\n  ## Assistant'],
    ['Assistant\n\n---'],
  ])('all other headings stay (%j)', (text) => expect(exported(text)).toBe(text))
  test('a text of marks alone is read once', () => {
    for (const text of ['>'.repeat(400_000), '- '.repeat(200_000) + '\n'.repeat(200_000), '#'.repeat(400_000)])
      expect(exported(text).length).toBeGreaterThan(190_000)
  })
})

test('JSON has everything that a reader needs, with attachments beside it and nothing of this device', () => {
  expect(toExportFile([record], '2026-01-01T00:00:00.000Z', new Map([[image, 'files/kite.png']]))).toEqual({
    format: 'atrium-conversations',
    version: 3,
    exported_at: '2026-01-01T00:00:00.000Z',
    conversations: [
      {
        id: 'c-1',
        title: 'Kites',
        model: 'gpt-5',
        updated_at: '2023-11-14T22:13:20.000Z',
        pinned: true,
        labels: ['foo'],
        messages: [
          {role: 'system', content: 'Be brief.'},
          {
            role: 'user',
            content: [
              {type: 'text', text: 'What is *this*?'},
              {type: 'image_url', image_url: 'files/kite.png'},
              {type: 'file_url', file_url: 'https://elsewhere.example/x[1].pdf?sig=1'},
            ],
          },
          {role: 'assistant', content: 'A **kite**.', state: 'finished', model: 'gpt-5', thought_ms: 900},
        ],
      },
    ],
  })
})

test('attachments are each once, by their names', () => {
  expect(attachmentsOf([record, record])).toEqual([
    {url: image, name: 'a kite.png'},
    {url: 'https://elsewhere.example/x[1].pdf?sig=1', name: 'x[1].pdf'},
  ])
})

test.each([
  ['..%2F..%2Fevil.sh', 'evil.sh'],
  ['..%5C..%5Cevil.sh', 'evil.sh'],
  ['%2e%2e', 'file'],
  ['a%2F', 'file'],
  ['a%3Ab%00.txt', 'a-b-.txt'],
  ['nul.txt', 'file-nul.txt'],
  ['100%.txt', '100%.txt'],
])('an attachment at …/%s is %s in an archive', (part, name) => {
  const content = [{type: 'file_url' as const, file_url: `https://foo.test/files/${part}`}]
  expect(attachmentsOf([{messages: [{content}]}]).map((file) => file.name)).toEqual([name])
})

test.each([
  ['What is 1/2?', 'What-is-1-2'],
  ['../../etc/passwd', 'etc-passwd'],
  ['今天天气', '今天天气'],
  ['???', 'conversation'],
  ['x'.repeat(80), 'x'.repeat(60)],
  [`a${'\u{20BB7}'.repeat(40)}`, `a${'\u{20BB7}'.repeat(29)}`],
  ['con', 'conversation-con'],
  ['COM1', 'conversation-COM1'],
  ['Conrad', 'Conrad'],
])('a file is named after %s', (title, name) => expect(fileNameFrom(title)).toBe(name))

const said = (id: string, role: 'user' | 'assistant', content: string, parent: number | null) => ({
  id,
  role,
  content,
  parent,
  created_at: 1,
})
const tree = {
  id: 'c-1',
  model: 'm',
  created_at: 1,
  updated_at: 2,
  current: 3,
  messages: [
    said('q-1', 'user', 'one', null),
    said('a-1', 'assistant', 'first', 0),
    said('q-2', 'user', 'two', 1),
    said('a-2', 'assistant', 'second', 2),
  ],
}
const failure = (id: string, versions?: string[]) => ({
  role: 'assistant' as const,
  content: '',
  id,
  state: 'failed' as const,
  outcome: 'refused' as const,
  unsent: true,
  created_at: 9,
  ...(versions && {versions}),
})

test('versions that no server has stand beside those that they were to join', () => {
  const unsentVersions = [
    [{role: 'user' as const, content: 'due', unsent: true, versions: ['q-2'], created_at: 9}, failure('key-1')],
    [failure('key-2', ['a-1'])],
    [failure('key-3', ['gone'])],
  ]
  const [exported] = toExportFile(
    [{...record, unsentVersions}],
    '2026-01-01T00:00:00.000Z',
    new Map(),
    new Map([['c-1', tree]]),
  ).conversations
  expect(exported).toMatchObject({current: 3})
  expect(exported?.messages.map((message) => ({parent: null, ...message}))).toMatchObject([
    {content: 'one', parent: null},
    {content: 'first', parent: 0},
    {content: 'two', parent: 1},
    {content: 'second', parent: 2},
    {content: 'due', parent: 1},
    {content: '', state: 'failed', outcome: 'refused', parent: 4},
    {content: '', state: 'failed', parent: 0},
  ])
  expect(JSON.stringify(exported)).not.toContain('q-2')
})

test('a question of which all other versions are deleted goes on behind the shown path, as in its thread', () => {
  const refused = (content: string, key: string) => [
    {role: 'user' as const, content, unsent: true, versions: ['gone'], created_at: 9},
    failure(key),
  ]
  const unsentVersions = [refused('due', 'key-1'), [failure('key-2', ['gone'])], refused('tre', 'key-3')]
  const exportedOf = (given: ConversationTree) =>
    toExportFile(
      [{...record, unsentVersions}],
      '2026-01-01T00:00:00.000Z',
      new Map(),
      new Map([['c-1', given]]),
    ).conversations.at(0)
  const exported = exportedOf(tree)
  expect(exported).toMatchObject({current: 7})
  expect(exported?.messages.slice(4)).toMatchObject([
    {content: 'due', parent: 3},
    {content: '', state: 'failed', parent: 4},
    {content: 'tre', parent: 5},
    {content: '', state: 'failed', parent: 6},
  ])
  expect(exported?.messages).toHaveLength(8)
  // a server of the version before names no messages: whether they are gone is not known
  const unnamed = {...tree, messages: tree.messages.map(({id: _, ...message}) => message)}
  expect(exportedOf(unnamed)?.messages).toHaveLength(4)
})

test('a file that was attached to a version that no server has comes with it', () => {
  const url = 'https://cdn.test/tides.pdf'
  const content = [
    {type: 'text' as const, text: 'due'},
    {type: 'file_url' as const, file_url: url},
  ]
  const unsentVersions = [[{role: 'user' as const, content, unsent: true, versions: ['q-1']}]]
  const files = attachmentsOf([{...record, messages: [], unsentVersions}])
  expect(files).toEqual([{url, name: 'tides.pdf'}])
  const messages = [{id: 'q-1', role: 'user' as const, content: 'one', parent: null, created_at: 1}]
  const tree = {id: 'c-1', model: 'm', created_at: 1, updated_at: 2, current: 0, messages}
  const exported = toExportFile(
    [{...record, unsentVersions}],
    '2026-01-01T00:00:00.000Z',
    new Map([[url, 'files/tides.pdf']]),
    new Map([['c-1', tree]]),
  )
  expect(JSON.stringify(exported)).toContain('files/tides.pdf')
  expect(JSON.stringify(exported)).not.toContain(url)
})
