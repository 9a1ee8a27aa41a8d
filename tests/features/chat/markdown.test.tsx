import {fireEvent, screen} from '@testing-library/react'
import {describe, expect, test} from 'vitest'
import {Markdown} from '#features/chat/markdown/markdown.tsx'
import styles from '#features/chat/markdown/markdown.module.css'
import {renderView} from '#tests/ui/render.tsx'
import {sample} from './markdown.sample.ts'
import {html, seen, seenOf} from './markdown-fixture.tsx'

describe('markdown', () => {
  test.each([
    ['# One\n\n## Two\n\n### Three', [3, 4, 5]],
    ['## One\n\n### Two\n\n## Three', [3, 4, 3]],
    ['words\n\n### One\n\n#### Two\n\n# Three', [3, 4, 3]],
    ['```sh\n# no heading\n```\n\n## One\n\n> ### Two', [3, 4]],
    ['Title\n=====\n\n## One', [3, 4]],
    ['Title\n---\n\n### One', [3, 4]],
    ['> ## One', [3]],
    ['> words\n> ## One\n\n### Two', [3, 4]],
    ['> ```sh\n> # no heading\n> ```\n\n## One', [3]],
    ['- ## One\n  ### Two', [3, 4]],
    ['| a |\n|---|\n| b |\n\nwords\n\n---\n\n## One', [3]],
  ])('the first heading stands under the name of the message, the others by it: %j', (text, levels) => {
    renderView(<Markdown text={text} />)
    expect(screen.getAllByRole('heading').map(({tagName}) => Number(tagName.slice(1)))).toEqual(levels)
  })

  test('renders what models write', () => {
    renderView(
      <Markdown
        text={
          '# One\n\n**bold** *em* ~~gone~~ `code`\n\n1. first\n2. second\n   - nested\n\n- [x] done\n- [ ] open\n\n> quote\n\n---\n\n| a | b |\n|:--|--:|\n| 1 | 2 |'
        }
      />,
    )
    expect(screen.getByRole('heading', {level: 3}).textContent).toBe('One')
    expect(screen.getByText('bold').tagName).toBe('STRONG')
    expect(screen.getByText('em').tagName).toBe('EM')
    expect(screen.getByText('gone').tagName).toBe('DEL')
    expect(screen.getByText('code').tagName).toBe('CODE')
    expect(screen.getAllByRole('listitem')).toHaveLength(5)
    expect(screen.getByRole('checkbox', {name: 'Done'})).toHaveProperty('checked', true)
    expect(screen.getByRole('checkbox', {name: 'To do'})).toHaveProperty('checked', false)
    expect(screen.getByText('quote').closest('blockquote')).not.toBeNull()
    expect(screen.getByRole('separator')).toBeVisible()
    expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['a', 'b'])
    expect(screen.getAllByRole('cell').map((cell) => cell.getAttribute('data-align'))).toEqual(['left', 'right'])
  })

  test.each([
    ['**注意：**傘は不要です。', ['注意：']],
    ['これは**「傘」**です。', ['「傘」']],
    ['请看**《故宫》**和**长城。**然后回家', ['《故宫》', '长城。']],
    ['**중요:**은 **"인용"**입니다', ['중요:', '"인용"']],
    ['**ملاحظة:**نص', ['ملاحظة:']],
    ['**「a `b` c」**は', ['「a b c」']],
    ['2 ** 3 ** 4、5', []],
    ['**word:**word', []],
    ['\\**注意：**傘', []],
  ])('emphasis beside words that no space parts from a mark: %j', (text, expected) => {
    const {container} = renderView(<Markdown text={text} />)
    expect([...container.querySelectorAll('strong')].map(({textContent}) => textContent)).toEqual(expected)
  })

  test.each([
    ['詳しくは https://atrium.example/a?b=c。次へ', 'https://atrium.example/a?b=c'],
    ['（https://atrium.example/a）', 'https://atrium.example/a'],
    ['请看 www.atrium.example/a，然后', 'http://www.atrium.example/a'],
    ['https://atrium.example/日本語', 'https://atrium.example/日本語'],
    ['https://atrium.example/a.', 'https://atrium.example/a'],
  ])('an address ends before a mark of full width: %j', (text, expected) => {
    renderView(<Markdown text={text} />)
    expect(decodeURI(screen.getByRole('link').getAttribute('href') ?? '')).toBe(expected)
  })

  test('text keeps its own direction per block, code is always left to right', () => {
    const {container} = renderView(<Markdown text={'مرحبا\n\n- عنصر\n\n`a` b\n\n```js\nx\n```'} />)
    expect([...container.querySelectorAll('p, ul')].map((block) => block.getAttribute('dir'))).toEqual([
      'auto',
      'auto',
      'auto',
    ])
    expect(container.querySelector('li')?.hasAttribute('dir')).toBe(false)
    expect(container.querySelector('figure')?.dir).toBe('ltr')
    expect(container.querySelector('p code')?.getAttribute('dir')).toBe('ltr')
  })

  test.each([
    ['- item\n  - nested', 'ul'],
    ['1. item', 'ol'],
    ['> quoted', 'blockquote'],
    ['| a | b |\n|---|---|\n| 1 | word |', 'div'],
  ])('in %j, directions of its parts are asked for only where both may meet', (plain, tag) => {
    const mixedIn = (markdown: string) => {
      const {container, unmount} = renderView(<Markdown text={markdown} growing />)
      const tags = [...container.querySelectorAll(`.${styles.mixed}`)].map(({localName}) => localName)
      unmount()
      return tags
    }
    expect(mixedIn(`${plain}\n\n`)).toEqual([])
    for (const letters of ['عنصر', 'שלום', '𐤀𐤁']) {
      const mixed = plain.replace(/item|quoted|word/, (word) => `${word} ${letters}`)
      expect(mixedIn(`${mixed}\n\n`)).toEqual([tag])
    }
  })

  test('the frame in which a table scrolls has the direction of its words, so that it begins with the first column', () => {
    const {container} = renderView(<Markdown text={'| عمود | b |\n|---|---|\n| 1 | 2 |'} />)
    expect(container.querySelector('table')?.parentElement?.dir).toBe('auto')
    expect(container.querySelector('table[dir], table [dir]')).toBeNull()
  })

  test('a reference defined later makes earlier text a link', () => {
    const before = 'See [foo].\n\nMore.\n\n'
    const {rerender} = renderView(<Markdown text={before} growing />)
    expect(screen.queryByRole('link')).toBeNull()
    rerender(<Markdown text={`${before}[foo]: https://foo.example/bar\n`} />)
    expect(screen.getByRole('link', {name: 'foo'}).getAttribute('href')).toBe('https://foo.example/bar')
  })

  test.each([
    ['a transcript', '[Alice]: How are you, Bob?'],
    ['a log', '[INFO]: 3 files read "twice'],
    ['a definition with more behind its title', '[a]: b "c" d'],
    ['a label with a bracket', '[a [b]: c'],
    ['an open pointed bracket', '[a]: <b'],
  ])('a line that looks like a reference and is none stands where it is written alone: %s', (_, line) => {
    const {container} = renderView(<Markdown text={`One [1].\n\nTwo [1] and [foo].\n\n${line}\n`} />)
    expect([...container.querySelectorAll('p')].map(({textContent}) => textContent)).toEqual([
      ...['One [1].', 'Two [1] and [foo].', line],
    ])
  })

  test('a reference whose line is still written makes no link yet', () => {
    renderView(<Markdown text={'See [foo].\n\n[foo]: https://foo.exa'} growing />)
    expect(screen.queryByRole('link')).toBeNull()
  })

  test('a line that looks like a reference keeps none from being one', () => {
    renderView(<Markdown text={'See [foo].\n\n[^1]: The note.\n\n[foo]: <https://foo.example/bar> "Foo"\n'} />)
    expect(screen.getByRole('link', {name: 'foo'}).getAttribute('href')).toBe('https://foo.example/bar')
  })

  test('ends with the elements of the whole text, whatever pieces it arrived in', () => {
    const whole = html(sample)
    for (let cut = 0; cut <= sample.length; cut += 7) {
      const {container, rerender, unmount} = renderView(<Markdown text={sample.slice(0, cut)} growing />)
      rerender(<Markdown text={sample} />)
      expect((container.firstElementChild ?? container).innerHTML, `cut at ${cut}`).toBe(whole)
      unmount()
    }
  })

  test('settled blocks keep their elements while the text grows', () => {
    const {container, rerender} = renderView(<Markdown text={'first **one**\n\nsecond'} growing />)
    const first = container.querySelector('p')
    rerender(<Markdown text={'first **one**\n\nsecond grows\n\nthird'} growing />)
    expect(container.querySelector('p')).toBe(first)
    expect(container.querySelectorAll('p')).toHaveLength(3)
  })

  test('of a long text too, where later blocks stand in groups, and each kind of text keeps its position', () => {
    const kinds = ['Words', '- a point', '### A heading', '> A quotation', '```ts\nconst a = 1\n```']
    const text = (count: number) =>
      Array.from({length: count}, (_, index) => kinds[index % kinds.length]?.replace('a', `${index} a`)).join('\n\n')
    const {container, rerender} = renderView(<Markdown text={text(40)} growing />)
    const words = container.querySelectorAll('p, li, h5, code')
    rerender(<Markdown text={text(90)} growing />)
    rerender(<Markdown text={text(90)} />)
    const after = container.querySelectorAll('p, li, h5, code')
    // what stood last was growing
    for (const [index, element] of [...words].slice(0, -1).entries()) expect(after[index]).toBe(element)
    const prose = container.firstElementChild
    expect(prose?.querySelectorAll(':scope > :not(div), :scope > div > *')).toHaveLength(90)
    expect(html(text(90))).toBe(prose?.innerHTML)
  })
})

describe('tags that are read as markup', () => {
  test.each([
    ['a paragraph', 'one<br>two<br/>three<BR />four', 3],
    ['a line of its own', 'one\n\n<br>\n\ntwo', 1],
    ['a list', '- one<br>two\n- three', 1],
    ['a cell', '| a<br>b | c |\n|---|---|\n| d<br/>e<br />f | g |', 3],
    ['a quotation', '> one<br>two', 1],
    ['bold words', '**one<br>two**', 1],
    ['none in code', '`<br>` and\n\n```html\n<br>\n```', 0],
    ['none with an attribute', 'one<br class="x">two <br/ > </br> <brx> <br\n>', 0],
  ])('a break in %s', (_, markdown, count) => {
    const {container} = renderView(<Markdown text={markdown} />)
    expect(container.querySelectorAll('br')).toHaveLength(count)
    if (count > 0) expect(container.textContent).not.toMatch(/<br/i)
  })

  test('raised and lowered text', () => {
    const {container} = renderView(
      <Markdown text={'H<sub>2</sub>O, x<SUP>*n* + 1</SUP>\n\n| m<sup>2</sup> |\n|---|'} />,
    )
    expect([...container.querySelectorAll('sub, sup')].map(({outerHTML}) => outerHTML)).toEqual([
      ...['<sub>2</sub>', '<sup><em>n</em> + 1</sup>', '<sup>2</sup>'],
    ])
  })

  test.each([
    'H<sub class="x">2</sub>O',
    'H<sub>2</sup>O',
    'H<sub>2O',
    '2</sub>',
    'a<sub>b<sub>c',
    'a<sub></sub>',
    'a<sup onclick="alert(1)">b</sup>',
    '<u>a</u> <mark>b</mark> <kbd>c</kbd>',
  ])('all other HTML stays text: %s', (markdown) => {
    const {container} = renderView(<Markdown text={markdown} />)
    expect(container.querySelector('p')?.textContent).toBe(markdown)
    expect(container.querySelector('p *')).toBeNull()
  })
})

describe('half-open markup', () => {
  const constructs = [
    'Plain words and **bold words** after, with *emphasis here* and ***both of them*** done.',
    'Code `const a = b` and ``a ` tick`` end.',
    'A [link text](https://foo.example/path?a=b "Title") and more.',
    'An autolink https://foo.example/a and <https://bar.example/b> end.',
    'Snake_case_name and 2 * 3 * 4 and _under score_ end.',
    'Struck ~~out words~~ end.',
    'One<br>two<br/>three<br />four and H<sub>2</sub>O, 5 < 6, x<sup>*n*</sup> end.',
    'One[^1] and two[^2], [^a-z] and `[^1]`.\n\n- three[^1]\n[^1]: The **note**.\n[^2]: https://foo.example\n\n    More of it.\n',
    '- one<br>two\n- m<sup>2</sup>',
    '| a<br>b | c |\n| --- | --- |\n| d<br/>e | m<sup>2</sup> |\n\nafter',
    'Entities &amp; and &lt;b&gt; end.',
    'Escapes \\*not em\\* end.',
    '# Heading **bold** text\n\nThen text.',
    '- item **one**\n- item `two`\n  - nested *three*\n\n1. first\n2. second',
    '- [x] ticked\n- [ ] open',
    '| head a | head b |\n| --- | :-: |\n| **x** | `y` |\n| z | w |\n\nafter',
    '> quoted **text** here\n> and `more`\n\nafter',
    'Title\n=====\n\ntext\n\n---\n\nmore',
    '```ts\nconst a = `b`\n``\n```\nafter **bold**',
    'Footnote [1] and array[0] and [a](b) end.',
    'Costs $5 and $6, or $5-$7 today.',
    'one\n\n<think>\nhidden\n</think>\ntwo',
    '[foo]: https://foo.example\n\nSee [foo] there.',
  ]
  test.each(constructs)('never shows a marker that will go away: %j', (text) => {
    const whole = seenOf(text)
    const {container, rerender} = renderView(<Markdown text="" growing />)
    for (let cut = 1; cut < text.length; cut += 1) {
      rerender(<Markdown text={text.slice(0, cut)} growing />)
      const part = seen(container)
      expect(whole.startsWith(part), `cut at ${cut}: ${JSON.stringify(part)} of ${JSON.stringify(whole)}`).toBe(true)
    }
  })

  test('the text is not held back for long', () => {
    const text =
      'Plain words and **bold words** after, with [a link](https://foo.example/path) too, until the end of it.'
    const lags = Array.from({length: text.length}, (_, cut) => {
      const shown = seenOf(text.slice(0, cut), true).length
      const said = text.slice(0, cut).replace(/\s/g, '').length
      return said - shown
    })
    expect(Math.max(...lags)).toBeLessThan('[a link](https://foo.example/path)'.length + 8)
  })

  test('an unclosed formula shows nothing yet and becomes text when the answer ends', () => {
    expect(seenOf('so $x^2 + y', true)).toBe('so')
    expect(seenOf('so $x^2 + y')).toBe('so$x^2+y')
  })
})

describe('thoughts', () => {
  test('stand closed above the answer and open on demand', async () => {
    renderView(<Markdown text={'<think>\nfirst **idea**\n</think>\n\nThe answer.'} />)
    expect(screen.getByText('The answer.')).toBeVisible()
    expect(screen.queryByText('idea')).toBeNull()
    const details = screen.getByText('Thoughts').closest('details')
    if (details === null) throw new Error('no details')
    details.open = true
    fireEvent(details, new Event('toggle'))
    expect((await screen.findByText('idea')).tagName).toBe('STRONG')
  })

  test('say so while they are written', () => {
    renderView(<Markdown text={'<think>hm'} growing />)
    expect(screen.getByText('Thinking…')).toBeVisible()
  })
})
