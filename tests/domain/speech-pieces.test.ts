import {expect, test} from 'vitest'
import {speechLanguage, speechPieces, spokenParts} from '#domain/speech-pieces.ts'

test('sentences stay whole as long as they are short enough', () => {
  expect(speechPieces('One. Two.\n\nThree!', 'en')).toEqual(['One. Two.\n\nThree!'])
  const sentence = `${'Word '.repeat(20).trim()}. `
  expect(speechPieces(sentence.repeat(3), 'en')).toEqual(Array.from({length: 3}, () => sentence.trim()))
})

test('a text of any length loses nothing and has no long piece', () => {
  for (const text of ['x'.repeat(1_000), 'one two, '.repeat(200), '漢字、'.repeat(200), '']) {
    const pieces = speechPieces(text, 'en')
    expect(pieces.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
    expect(Math.max(0, ...pieces.map(({length}) => length))).toBeLessThanOrEqual(181)
  }
})

test('a piece without a word is left out', () => expect(speechPieces('***\n\n---', 'en')).toEqual([]))

test.each([
  ['Hello', 'de', 'de'],
  ['Hello', 'ru', 'en'],
  ['Привет', 'uk', 'uk'],
  ['Привет', 'en', 'ru'],
  ['こんにちは世界', 'en', 'ja'],
  ['你好', 'zh-TW', 'zh-TW'],
  ['你好', 'en', 'zh-CN'],
  ['東京は日本の首都で、東京都庁所在地', 'en', 'ja'],
  ['The Russian word for peace is мир, and also for world.', 'en', 'en'],
  ['Слово React пишется латиницей', 'en', 'ru'],
  ['שלום', 'en', 'he'],
  ['สวัสดี', 'en', 'th'],
  ['नमस्ते', 'de', 'hi'],
  ['42', 'de', 'de'],
  ['42', 'ar', 'en'],
])('%s on a page in %s is read in %s', (text, page, language) => expect(speechLanguage(text, page)).toBe(language))

test('lines of one script are one part, and lines without letters go with those before', () => {
  const languagesOf = (text: string, page: string) =>
    spokenParts(text, page).map((part) => [part.text, part.languages[0]])
  expect(languagesOf('Peace is:\nмир\n1.\nдруг\n\nAnd a friend.', 'en')).toEqual([
    ['Peace is:\n', 'en'],
    ['мир\n1.\nдруг\n\n', 'ru'],
    ['And a friend.', 'en'],
  ])
  // a heading of Chinese characters in a Japanese text
  expect(languagesOf('東京都\n東京は日本の首都です', 'en')).toEqual([['東京都\n東京は日本の首都です', 'ja']])
  expect(languagesOf('Слово React значит\nпишется латиницей', 'uk')).toEqual([
    ['Слово React значит\nпишется латиницей', 'uk'],
  ])
  expect(languagesOf('', 'en')).toEqual([['', 'en']])
})
