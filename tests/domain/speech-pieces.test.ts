import {expect, test} from 'vitest'
import {speechLanguages, speechPieces, spokenParts} from '#domain/speech-pieces.ts'

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
  ['Bonjour', 'en', 'en'],
  ['La capitale de la France est Paris, et elle est sur la Seine.', 'en', 'fr'],
  ['La capitale de la France est Paris, et elle est sur la Seine.', 'ar', 'fr'],
  ['Не знаю, что это, но мы можем её спросить.', 'uk', 'ru'],
  ['Їжак і кіт живуть у лісі.', 'ru', 'uk'],
  ['Њујорк је велики град.', 'en', 'sr'],
])('%s on a page in %s is read in %s', (text, page, language) => expect(speechLanguages(text, page)[0]).toBe(language))

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

const samples: Record<string, string> = {
  en: 'The lake is deep, and you can swim in it if the water is not too cold for you.',
  de: 'Der See ist tief, und man kann darin schwimmen, wenn das Wasser nicht zu kalt ist.',
  fr: "Le lac est profond, et on peut y nager si l'eau n'est pas trop froide pour vous.",
  es: 'El lago es profundo y se puede nadar en él si el agua no está muy fría.',
  it: 'Il lago è profondo e si può nuotare se la temperatura non è troppo bassa per te.',
  pt: 'O lago é profundo e você pode nadar nele se a água não estiver muito fria para você.',
  pl: 'Jezioro jest głębokie i można w nim pływać, jeśli woda nie jest za zimna dla ciebie.',
  sv: 'Sjön är djup, och det går att bada i den om vattnet inte är för kallt för dig.',
  fi: 'Järvi on syvä, ja siinä voi uida, jos vesi ei ole liian kylmää. Se on myös kaunis.',
  nl: 'Het meer is diep, en je kunt er in zwemmen als het water niet te koud is voor je.',
}
const ofPage = (tag: string) => (tag === 'en' ? 'de' : 'en')

test.each(Object.entries(samples))('a sentence in %s is read in it, whatever the page is in', (language, text) => {
  expect(speechLanguages(text, ofPage(language))).toEqual([language, ofPage(language)])
  // without a voice of it the page's reads
  expect(speechLanguages(text, language)).toEqual([language])
})

test('words that leave doubt, or are of a language that is not known here, are read in that of the page', () => {
  for (const text of [
    'React, TypeScript, Node.js, PostgreSQL',
    'Hoc est corpus meum, quod pro vobis tradetur.',
    'Göl derindir ve su soğuk değilse içinde yüzebilirsiniz.',
    'OK',
  ])
    expect(speechLanguages(text, 'pl')).toEqual(['pl'])
})

test('each line of a text in two languages is read in its own', () => {
  const text = `${samples['fr']}\n${samples['en']}\n- Paris\n${samples['de']}`
  expect(spokenParts(text, 'en').map((part) => [part.text.trim(), part.languages])).toEqual([
    [samples['fr'], ['fr', 'en']],
    [`${samples['en']}\n- Paris`, ['en']],
    [samples['de'], ['de', 'en']],
  ])
})
