import {describe, expect, test} from 'vitest'
import {createSearchIndex, snippetOf, titleLead, type SearchEntry} from '#domain/search-index.ts'

const entry = (key: string, texts: string[], given: Partial<SearchEntry> = {}): SearchEntry => ({
  key,
  title: '',
  texts,
  answers: [],
  updatedAt: 0,
  ...given,
})

describe('finds', () => {
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

  test.each(['__init__', '**kwargs', 'a*b', '_private', 'a | b', 'ls|grep'])('code of an answer: %s', (query) => {
    const index = createSearchIndex()
    index.put([entry('a', ['foo', `It is \`${query}\` there`], {answers: [1]})])
    expect(index.find(query, 10)).toEqual([{key: 'a', message: 1}])
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

  test('a title whose words messages have too with the message, as the field that finds the others needs one', () => {
    const index = createSearchIndex()
    index.put([
      entry('both', ['foo', 'a kite', 'red'], {title: 'Red kites', updatedAt: 2}),
      entry('half', ['a kite'], {title: 'Red kites', updatedAt: 1}),
    ])
    expect(index.find('red kite', 10)).toEqual([{key: 'both', message: 1}, {key: 'half'}])
    expect(index.find('red kite', 1)).toEqual([{key: 'both', message: 1}])
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

  test('begins with a whole word, or where there are no spaces at a whole character', () => {
    const start = (source: string, query: string) => snippetOf(source, query)[0]?.text
    expect(start('The quarterly notes of the whole team about kites', 'kites')).toBe('…notes of the whole team about ')
    expect(start(`Wait, ${'y'.repeat(40)}kite`, 'kite')).toBe(`…${'y'.repeat(30)}`)
    expect(start(`${'字'.repeat(40)}肉`, '肉')).toBe(`…${'字'.repeat(30)}`)
    expect(start(`${'😀'.repeat(40)}a肉`, '肉')).toBe(`…${'😀'.repeat(14)}a`)
  })

  test('ends with a whole character', () => {
    const last = snippetOf(`needle ${'x'.repeat(152)}😀😀😀`, 'needle').at(-1)?.text
    expect(last).toBe(` ${'x'.repeat(152)}…`)
  })

  test('of a title keeps the hit within its one line', () => {
    const shown = (title: string, query: string) =>
      snippetOf(title, query, titleLead)
        .map(({text}) => text)
        .join('')
    expect(shown('The quarterly notes', 'quarterly')).toBe('The quarterly notes')
    expect(shown('Notes of the quarterly talk', 'talk')).toBe('Notes of the quarterly talk')
    expect(shown('The notes of the quarterly talk of the team', 'talk')).toBe('…the quarterly talk of the team')
    expect(shown(`${'字'.repeat(12)}肉`, '肉')).toBe(`${'字'.repeat(12)}肉`)
    expect(shown(`${'字'.repeat(20)}肉`, '肉')).toBe(`…${'字'.repeat(8)}肉`)
  })

  test('of a text without the words is its beginning', () => {
    expect(snippetOf('foo bar', 'baz')).toEqual([{text: 'foo bar', isHit: false}])
  })
})
