import {describe, expect, test} from 'vitest'
import {foldForSearch, originalRange} from '#domain/fold-text.ts'
import {createSearchIndex, snippetOf, type SearchEntry} from '#domain/search-index.ts'

const entry = (key: string, texts: string[], given: Partial<SearchEntry> = {}): SearchEntry => ({
  key,
  title: '',
  texts,
  answers: [],
  updatedAt: 0,
  ...given,
})

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
]

describe('finds', () => {
  test.each(languages)('%s', (_, text, query, other) => {
    const index = createSearchIndex()
    index.put([entry('a', ['nothing', text]), entry('b', ['something else'])])
    expect(index.find(query, 10)).toEqual([{key: 'a', message: 1}])
    expect(index.find(other, 10)).toEqual([])
    const hit = snippetOf(text, query).filter(({isHit}) => isHit)
    expect(hit.length).toBeGreaterThan(0)
    for (const {text: marked} of hit) expect(foldForSearch(query)).toContain(foldForSearch(marked))
  })

  test('answers as they are shown: without marks and thoughts, unlike questions', () => {
    const index = createSearchIndex()
    const text = '<think>first a needle</think>你**好**世界, [Zoë](https://foo.example) `say` it'
    index.put([entry('answer', ['foo', text], {answers: [1]}), entry('question', [text])])
    const keys = (query: string) => index.find(query, 10).map(({key}) => key)
    expect(keys('你好世界')).toEqual(['answer'])
    expect(keys('**好')).toEqual(['question'])
    expect(keys('needle')).toEqual(['question'])
    expect(keys('foo.example')).toEqual(['question'])
    expect(index.find('你好', 10)).toEqual([{key: 'answer', message: 1}])
  })

  test('titles first, then the newest; every word must be there; no more than asked', () => {
    const index = createSearchIndex()
    index.put([
      entry('old', ['a red kite'], {updatedAt: 1}),
      entry('new', ['kite', 'and red'], {updatedAt: 3}),
      entry('half', ['a kite'], {updatedAt: 4}),
      entry('titled', ['foo'], {title: 'Red kites', updatedAt: 0}),
    ])
    expect(index.find('red KITE', 10)).toEqual([{key: 'titled'}, {key: 'new', message: 0}, {key: 'old', message: 0}])
    expect(index.find('kite', 2)).toEqual([{key: 'titled'}, {key: 'half', message: 0}])
    expect(index.find('  ', 10)).toEqual([])
  })

  test('a changed conversation by its new words alone, a removed one no more', () => {
    const index = createSearchIndex()
    index.put([entry('a', ['one'])])
    index.put([entry('a', ['two'])])
    expect(index.find('one', 10)).toEqual([])
    expect(index.find('two', 10)).toEqual([{key: 'a', message: 0}])
    index.remove(['a'])
    expect(index.find('two', 10)).toEqual([])
  })

  test('no word goes from one message into the next', () => {
    const index = createSearchIndex()
    index.put([entry('a', ['foo', 'bar'], {title: 'baz'})])
    expect(index.find('foobar', 10)).toEqual([])
    expect(index.find('bazfoo', 10)).toEqual([])
  })
})

describe('a snippet', () => {
  test('is the neighbourhood of the first hit on one line, every hit marked', () => {
    const source = `${'before '.repeat(20)}the Käse\n\nand KASE ${'after '.repeat(40)}`
    const pieces = snippetOf(source, 'kase')
    expect(pieces.map(({isHit}) => isHit)).toEqual([false, true, false, true, false])
    expect(pieces.filter(({isHit}) => isHit).map(({text}) => text)).toEqual(['Käse', 'KASE'])
    const whole = pieces.map(({text}) => text).join('')
    expect(whole).toMatch(/^….*the Käse and KASE after .*…$/)
    expect(whole.length).toBeLessThan(170)
  })

  test('of a text without the words is its beginning', () => {
    expect(snippetOf('foo bar', 'baz')).toEqual([{text: 'foo bar', isHit: false}])
  })

  test('marks whole characters, whatever they fold to', () => {
    const text = '👩‍🚀 Straße ﬁn'
    const folded = foldForSearch(text)
    const at = folded.indexOf('strasse')
    const {start, end} = originalRange(text, at, at + 'strasse'.length)
    expect(text.slice(start, end)).toBe('Straße')
  })
})
