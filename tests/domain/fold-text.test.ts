import {describe, expect, test} from 'vitest'
import {countMatches, findMatches} from '#domain/find-text.ts'
import {foldText, originalRanges} from '#domain/fold-text.ts'
import {fuzzyScore} from '#domain/fuzzy-score.ts'
import {createSearchIndex, snippetOf} from '#domain/search-index.ts'

/** A text of each language, what is typed for it, and what must not find it. */
const languages: [language: string, text: string, query: string, other: string][] = [
  ['en', 'The Kite flies', 'kite', 'kites'],
  ['de', 'Straßenbahn für Äpfel', 'strassenbahn FUR apfel', 'strasenbahn'],
  ['pt', 'A ação não começou', 'acao comecou', 'acaso'],
  ['es', 'mañana, ¿qué?', 'manana que', 'mañanero'],
  ['fr', 'L’œuvre élève', 'oeuvre ELEVE', 'ouvre'],
  ['zh-CN', '我今天想学习怎么做红烧肉。', '红烧肉', '红肉'],
  ['zh-TW', '請幫我規劃台北旅行', '台北', '臺北'],
  ['it', 'Perché è così', 'perche cosi', 'perchi'],
  ['ko', '한국어로 번역해 줘', '번역', '번영'],
  ['ja', '東京タワーはどこですか。ガラス', '東京タワー', 'カラス'],
  ['ja, half width', 'ﾃﾞｰﾀの分析', 'データ', 'テータ'],
  ['ru', 'Ёлка и Москва', 'елка москва', 'елки'],
  ['pl', 'Zażółć gęślą jaźń, Łódź', 'zazolc lodz', 'lodka'],
  ['fi', 'Hyvää päivää', 'hyvaa paivaa', 'hyvin'],
  ['sv', 'Räksmörgås', 'raksmorgas', 'rakmorgas'],
  ['el', 'Καλημέρα κόσμος', 'καλημερα ΚΟΣΜΟΣ', 'κοσμοι'],
  ['uk', 'Її Київ', 'її київ', 'києва'],
  ['ar', 'كَتَبَ الطَّالِبُ إلى المدرسة', 'كتب الى المدرسه', 'كتاب'],
  ['sr', 'Ђурђевдан и Ћирилица', 'ђурђевдан', 'ђурђевац'],
  ['da', 'Rød bil, ærlig', 'rod aerlig', 'rodt'],
  ['pl, typed in full', 'Zazolc w Lodzi', 'zażółć łodzi', 'zażółty'],
  ['tr', 'İstanbul ışık', 'istanbul isik', 'istanbulu'],
  ['is', 'Það er þorn', 'thad thorn', 'tad'],
  ['vi', 'Đường phố', 'duong pho', 'dung'],
  ['fa', 'کتابخانه ملی', 'كتابخانه ملي', 'كتابي'],
  ['fa, Arabic forms', 'كتابخانه ملي', 'کتابخانه ملی', 'کتابی'],
  ['ur', 'ہماری زبان', 'هماري', 'همارا'],
  ['ar, stretched', 'مـــحمد', 'محمد', 'محمود'],
  ['he', 'שָׁלוֹם', 'שלום', 'שלוש'],
  ['ko, a syllable is whole', '한국어', '한국', '하'],
  ['ko, decomposed', '한국어'.normalize('NFD'), '국어', '구'],
  ['ja, a voiced kana is another', 'かがみ', 'がみ', 'き'],
  ['ja, decomposed', 'がっこう'.normalize('NFD'), 'がっこう', 'かっこう'],
  ['en, curly apostrophe in the text', 'I don’t know', "don't", 'dont'],
  ['fr, curly apostrophe typed', "Rien aujourd'hui", 'aujourd’hui', 'aujourdhui'],
  ['uk, typographic apostrophe in the text', 'Їх п’ять', "п'ять", 'пять'],
  ['uk, the letter apostrophe in the text', 'Їх пʼять', 'п’ять', 'пять'],
  ['uk, the letter apostrophe typed', "Їх п'ять", 'пʼять', 'пять'],
  ['en, hyphens that do not break', 'The state\u2011of\u2011the\u2011art', 'state-of-the-art', 'stateof'],
  ['en, dash and minus', '1914–1918, −5', '1914-1918 -5', '19141918'],
  ['de, quotation marks', 'Das „Haus“ und «Hof»', '"Haus" "Hof"', '"Hofs'],
  ['ar, digits', 'عام ٢٠٢٤', '2024', '2042'],
  ['fa, digits typed', '2024', '۲۰۲۴', '۲۰۴۲'],
  ['zh, full width', 'ＡＩ　模型', 'ai 模型', '模形'],
]

/* One folding for the search of all conversations, the words in one of them, and the palette. */
describe.each(languages)('%s', (_, text, query, other) => {
  const words = query.split(/\s+/)

  test('the search of the list finds it, and marks whole characters', () => {
    const index = createSearchIndex()
    index.put([
      {key: 'a', title: '', texts: ['nothing', text], answers: [], updatedAt: 0},
      {key: 'b', title: '', texts: ['something else'], answers: [], updatedAt: 0},
    ])
    expect(index.find(query, 10)).toEqual([{key: 'a', message: 1}])
    expect(index.find(other, 10)).toEqual([])
    const hits = snippetOf(text, query).filter(({isHit}) => isHit)
    expect(hits.map(({text: marked}) => foldText(marked)).sort()).toEqual(words.map(foldText).sort())
  })

  test('the search in a conversation finds each word, where it is', () => {
    for (const word of words) {
      const found = findMatches(text, foldText(word)).map(({start, end}) => foldText(text.slice(start, end)))
      expect(found).toEqual([foldText(word)])
      expect(countMatches(foldText(text), foldText(word))).toBe(1)
    }
    expect(findMatches(text, foldText(other))).toEqual([])
  })

  test('the palette finds it', () => expect(fuzzyScore(foldText(query), foldText(text))).toEqual(expect.any(Number)))
})

test('marks whole characters, whatever they fold to', () => {
  const text = '👩‍🚀 Straße ﬁn'
  const at = foldText(text).indexOf('strasse')
  const marked = (start: number, end: number) =>
    originalRanges(text, [{start, end}]).map((range) => text.slice(range.start, range.end))
  expect(marked(at, at + 'strasse'.length)).toEqual(['Straße'])
  expect(marked(at + 4, at + 5)).toEqual(['ß'])
  expect(
    originalRanges('ß', [
      {start: 0, end: 1},
      {start: 1, end: 2},
    ]),
  ).toHaveLength(2)
  expect(snippetOf('Straße', 's')).toEqual([
    {text: 'S', isHit: true},
    {text: 'tra', isHit: false},
    {text: 'ß', isHit: true},
    {text: 'e', isHit: false},
  ])
})
