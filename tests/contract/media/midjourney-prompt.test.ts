import {describe, expect, test} from 'vitest'
import {tool} from '#contract/media/midjourney.ts'
import {composePrompt, partsOfPrompt, wordsOf, type PromptParts} from '#contract/media/media-prompt.ts'

/* The composition rules of contract/media §2.1, one by one. */

const plain: PromptParts = {
  prompt: 'boat',
  references: [],
  elements: [],
  model: '',
  version: '6.1',
  ratio: '1:1',
  quality: '1',
  stylize: 100,
  weird: 0,
  chaos: 0,
  iw: 1,
  style: '',
  ignore: '',
}
const rules: [rule: string, parts: Partial<PromptParts>, prompt: string][] = [
  ['only the version beside the words', {}, 'boat --version 6.1'],
  [
    'references first',
    {references: ['https://a.test/1.png', 'https://a.test/2.png']},
    'https://a.test/1.png https://a.test/2.png boat --version 6.1',
  ],
  ['references alone', {prompt: '', references: ['https://a.test/1.png']}, 'https://a.test/1.png  --version 6.1'],
  ['nothing at all', {prompt: ' ', elements: ['serene']}, ''],
  ['style words after a comma', {elements: ['oil painting', 'serene']}, 'boat,oil painting,serene --version 6.1'],
  ['model before version', {model: 'niji 5'}, 'boat --niji 5 --version 6.1'],
  ['typed version', {prompt: 'boat --version 5.2'}, 'boat --version 5.2'],
  ['typed short version', {prompt: 'boat --v 5.2 wide'}, 'boat --v 5.2 wide'],
  ['chaos', {chaos: 30}, 'boat --version 6.1 --chaos 30'],
  ['typed chaos', {chaos: 30, prompt: 'boat --chaos 5'}, 'boat --chaos 5 --version 6.1'],
  ['quality', {quality: '.5'}, 'boat --version 6.1 --quality .5'],
  ['typed quality', {quality: '.5', prompt: 'boat --q 1'}, 'boat --q 1 --version 6.1'],
  ['ratio', {ratio: '16:9'}, 'boat --version 6.1 --aspect 16:9'],
  ['typed ratio', {ratio: '16:9', prompt: 'boat --ar 4:3'}, 'boat --ar 4:3 --version 6.1'],
  ['stylize', {stylize: 50}, 'boat --version 6.1 --stylize 50'],
  ['typed stylize', {stylize: 50, prompt: 'boat --s 10'}, 'boat --s 10 --version 6.1'],
  ['weird', {weird: 500}, 'boat --version 6.1 --weird 500'],
  ['typed weird', {weird: 500, prompt: 'boat --w 1'}, 'boat --w 1 --version 6.1'],
  ['what to avoid', {ignore: ' text, logos '}, 'boat --version 6.1 --no text, logos'],
  ['image weight', {iw: 0.5}, 'boat --version 6.1 --iw 0.5'],
  ['style', {style: 'raw'}, 'boat --version 6.1 --style raw'],
  ['style beside stylize', {style: 'raw', stylize: 50}, 'boat --version 6.1 --stylize 50 --style raw'],
  [
    'style beside a typed stylize',
    {style: 'raw', prompt: 'boat --stylize 50'},
    'boat --stylize 50 --version 6.1 --style raw',
  ],
  ['typed style', {style: 'raw', prompt: 'boat --style cute'}, 'boat --style cute --version 6.1'],
  ['a mode in the words is taken out', {prompt: 'boat --fast --turbo '}, 'boat  --version 6.1'],
  [
    'everything in its order',
    {
      references: ['https://a.test/1.png'],
      elements: ['serene'],
      model: 'niji 5',
      chaos: 1,
      quality: '.25',
      ratio: '9:16',
      stylize: 2,
      weird: 3,
      ignore: 'text',
      iw: 2,
      style: 'cute',
    },
    'https://a.test/1.png boat,serene --niji 5 --version 6.1 --chaos 1 --quality .25 --aspect 9:16 --stylize 2 --weird 3 --no text --iw 2 --style cute',
  ],
]
test.each(rules)('%s', (_rule, parts, prompt) => {
  expect(composePrompt({...plain, ...parts})).toBe(prompt)
})

describe('back to its parts', () => {
  test('nothing is lost that the form does not offer: it stays as it was typed', () => {
    const typed = 'a castle --ar 3:2 --s 50 --niji 6 --v 5.3 --c 300'
    const again = tool.form.parse(tool.reuse?.({prompt: typed}, 'imagine'))
    expect([again.stylize, again.ratio, again.model]).toEqual([50, '1:1', ''])
    expect(again.prompt).toBe('a castle --ar 3:2 --niji 6 --v 5.3 --c 300')
    expect(composePrompt(again)).toBe('a castle --ar 3:2 --niji 6 --v 5.3 --c 300 --stylize 50')
  })

  test.each(rules.filter(([, parts]) => (parts.prompt ?? '').indexOf('--') < 0))('%s', (_rule, _parts, prompt) => {
    const again = {...plain, ...partsOfPrompt(prompt)}
    expect(composePrompt(again)).toBe(prompt)
  })

  test('words too long to be typed give their style words back, the same goes out again, and a typed comma stays', () => {
    const typed = `a harbour at night, seen from the sea, ${'still '.repeat(25)}`.trim()
    const sent = composePrompt({...plain, prompt: typed, elements: ['oil painting', 'soft light', 'art nouveau']})
    const again = tool.form.parse(tool.reuse?.({prompt: sent}, 'imagine'))
    expect([again.prompt, again.elements]).toEqual([typed, ['oil painting', 'soft light', 'art nouveau']])
    expect(composePrompt(again)).toBe(sent)
    expect(tool.faults(again)).toEqual([])
    expect(tool.reuse?.({prompt: 'cat,dog'}, 'imagine')).toEqual({
      tab: 'imagine',
      model: '',
      ratio: '1:1',
      quality: '1',
      references: [],
      prompt: 'cat,dog',
    })
  })

  test('flags nobody knows stay among the words', () => {
    expect(partsOfPrompt('boat --tile --seed 4 --ar 4:3')).toEqual({
      prompt: 'boat --tile --seed 4',
      references: [],
      ratio: '4:3',
    })
  })
})

test.each([
  ['boat --version 6.1', 'boat'],
  [
    'https://a.test/1.png boat,serene --niji 5 --version 6.1 --chaos 30 --aspect 16:9 --iw 0.5 --style raw',
    'boat,serene',
  ],
  ['boat --ar 4:3,oil painting --version 6.1', 'boat,oil painting'],
  ['boat --tile at sea --fast --seed 9', 'boat at sea'],
  ['boat --no text, logos --iw 0.5', 'boat, without text, logos'],
  ['a well--known boat, 3 - 4 masts', 'a well--known boat, 3 - 4 masts'],
  ['two\nlines --v 7', 'two\nlines'],
  ['https://a.test/1.png  --version 6.1 --no text', ''],
])('the words of "%s" are "%s"', (prompt, words) => {
  expect(wordsOf(prompt)).toBe(words)
})
