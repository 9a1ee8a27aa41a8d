import {describe, expect, test} from 'vitest'
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
    {role: 'assistant', content: 'A **kite**.', state: 'finished', model: 'gpt-5', id: 'm-2', attempt: 3},
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

test('JSON has everything that a reader needs, with attachments beside it and nothing of this device', () => {
  expect(toExportFile([record], '2026-01-01T00:00:00.000Z', new Map([[image, 'files/kite.png']]))).toEqual({
    format: 'atrium-conversations',
    version: 2,
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
          {role: 'assistant', content: 'A **kite**.', state: 'finished', model: 'gpt-5'},
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
