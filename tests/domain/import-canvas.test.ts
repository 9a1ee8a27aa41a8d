import {expect, test} from 'vitest'
import {importOf, linesOf} from './imported-lines.ts'

/* The shape of messages to and from the canvas is that of exports of 2024 to 2026. */

type Step = {message: object; children?: Step[]}

const said = (role: 'user' | 'assistant', text: string): Step => ({
  message: {author: {role}, content: {content_type: 'text', parts: [text]}, recipient: 'all', weight: 1, metadata: {}},
})
const call = (tool: string, body: object | string, form: 'code' | 'text' = 'code'): Step => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const content =
    form === 'code'
      ? {content_type: 'code', language: 'json', response_format_name: null, text}
      : {content_type: 'text', parts: [text]}
  return {
    message: {
      author: {role: 'assistant', name: null},
      content,
      recipient: `canmore.${tool}`,
      weight: 1,
      status: 'finished_successfully',
      metadata: {model_slug: 'gpt-5'},
    },
  }
}
const answer = (canvas: object): Step => ({
  message: {
    author: {role: 'tool', name: 'canmore.create_textdoc'},
    content: {content_type: 'text', parts: ['Successfully created text document']},
    recipient: 'all',
    weight: 0,
    metadata: {canvas},
  },
})

/** One conversation of these messages, each after the one before. */
function conversationOf(...steps: Step[]) {
  const nodes = steps.map(({message}, index) => [
    String(index),
    {id: String(index), parent: index === 0 ? null : String(index - 1), children: [String(index + 1)], message},
  ])
  return importOf([{conversation_id: 'foo', title: 'foo', mapping: Object.fromEntries(nodes)}]).conversations[0]
}
const textsOf = (...steps: Step[]) => {
  const conversation = conversationOf(...steps)
  return {
    texts: conversation === undefined ? [] : linesOf(conversation).map(([, content]) => content),
    leftOut: conversation?.leftOut ?? 0,
  }
}
const update = (pattern: string, replacement: string, multiple = false) =>
  call('update_textdoc', {updates: [{pattern, replacement, multiple}]})
const essay = call('create_textdoc', {name: 'Essay', type: 'document', content: '# Kites\n\nThey fly. They fly well.'})

test('a document and what is said of it are one answer', () => {
  const conversation = conversationOf(
    said('user', 'Write an essay.'),
    essay,
    answer({textdoc_id: '1', textdoc_type: 'document', title: 'Essay', version: 1}),
    said('assistant', 'I put it in the canvas.'),
  )
  expect(conversation && linesOf(conversation)).toEqual([
    ['user', 'Write an essay.', null],
    ['assistant', '**Essay**\n\n# Kites\n\nThey fly. They fly well.\n\nI put it in the canvas.', 0],
  ])
  expect([conversation?.lost, conversation?.leftOut]).toEqual([0, undefined])
})

test.each([
  ['code/python', 'print("```")', '````python\nprint("```")\n````'],
  ['code/react', '<a />', '```jsx\n<a />\n```'],
  ['code/other', 'a', '```\na\n```'],
  ['webview', '<p>', '```html\n<p>\n```'],
  ['document', 'Open:\n```js\nlet a', 'Open:\n```js\nlet a\n```'],
])('code stands in a fence, a document closes its own (%s)', (type, content, body) => {
  const created = call('create_textdoc', {name: 'snake_case.py', type, content}, 'text')
  expect(textsOf(said('user', 'Write.'), created).texts[1]).toBe(`**snake\\_case.py**\n\n${body}`)
})

test.each([
  ['the whole', update('.*', '# Birds\n\nA "\\n" and $&.'), '# Birds\n\nA "\\n" and $&.'],
  ['the first', update('They fly', 'Kites sing $&'), '# Kites\n\nKites sing $&. They fly well.'],
  ['each', update('They fly', 'They sing', true), '# Kites\n\nThey sing. They sing well.'],
  ['escaped signs', update('fly\\. They', 'fly, they'), '# Kites\n\nThey fly, they fly well.'],
])('a change is the text that it makes: %s', (_, change, content) => {
  expect(textsOf(said('user', 'Write.'), essay, said('user', 'Change it.'), change)).toEqual({
    texts: ['Write.', '**Essay**\n\n# Kites\n\nThey fly. They fly well.', 'Change it.', `**Essay**\n\n${content}`],
    leftOut: 0,
  })
})

test.each([
  ['an expression', update('They \\w+', 'Kites')],
  ['an expression that takes for ever', update('(a|a)*b', 'c')],
  ['a text that is not there', update('Birds', 'Kites')],
  ['a group in the replacement', update('They', '\\g<0> and we')],
  ['a comment', call('comment_textdoc', {comments: [{pattern: 'They', comment: 'Who?'}]})],
  ['a call that was cut off', call('update_textdoc', '{"updates": [{"patt')],
])('a change that cannot be made exactly is counted: %s', (_, change) => {
  expect(textsOf(said('user', 'Write.'), essay, change, said('assistant', 'Done.'))).toEqual({
    texts: ['Write.', '**Essay**\n\n# Kites\n\nThey fly. They fly well.\n\nDone.'],
    leftOut: 1,
  })
})

test('behind a change that could not be made, only a whole text is one', () => {
  const {texts, leftOut} = textsOf(
    said('user', 'Write.'),
    essay,
    update('They \\w+', 'Kites'),
    update('well', 'badly'),
    update('.*', 'New.'),
    update('New', 'Newer'),
  )
  expect([texts[1], leftOut]).toEqual([
    '**Essay**\n\n# Kites\n\nThey fly. They fly well.\n\n**Essay**\n\nNew.\n\n**Essay**\n\nNewer.',
    2,
  ])
})

test('a change is of the document that its answer names, and one that failed there is none', () => {
  const other = call('create_textdoc', {name: 'Other', type: 'document', content: 'They.'})
  const {texts, leftOut} = textsOf(
    said('user', 'Write.'),
    essay,
    answer({textdoc_id: '1'}),
    other,
    answer({textdoc_id: '2'}),
    said('user', 'Change it.'),
    update('.*', 'Changed.'),
    answer({textdoc_id: '1'}),
    update('nothing', 'at all'),
    answer({textdoc_id: '1', is_failure: true}),
  )
  expect([texts.at(-1), leftOut]).toEqual(['**Essay**\n\nChanged.', 0])
})

test('what a shown message has beside its text is counted: recordings, kinds that are not known', () => {
  const spoken = {
    message: {
      author: {role: 'user'},
      content: {
        content_type: 'multimodal_text',
        parts: [
          {content_type: 'audio_transcription', text: 'Hello.'},
          {content_type: 'audio_asset_pointer', asset_pointer: 'sediment://file_1', format: 'wav'},
        ],
      },
    },
  }
  const unknown = {message: {author: {role: 'assistant'}, content: {content_type: 'hologram', parts: ['a']}}}
  const recap = {message: {author: {role: 'assistant'}, content: {content_type: 'reasoning_recap', content: 'Thought'}}}
  expect(textsOf(spoken, unknown, recap, said('assistant', 'Hi.'))).toEqual({texts: ['Hello.', 'Hi.'], leftOut: 2})
})

test('many changes of a long document are not copied without end', () => {
  const content = `a${'b'.repeat(100_000)}`
  const changes = Array.from({length: 2_000}, () => update('a', 'a'))
  const created = call('create_textdoc', {name: 'Long', type: 'document', content})
  const {leftOut} = textsOf(said('user', 'Write.'), created, ...changes)
  expect(leftOut).toBeGreaterThan(1_700)
})
