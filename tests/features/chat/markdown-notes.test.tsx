import {fireEvent, screen} from '@testing-library/react'
import {describe, expect, test} from 'vitest'
import {Markdown} from '#features/chat/markdown/markdown.tsx'
import {plainText} from '#features/chat/markdown/plain-text.ts'
import {renderView} from '#tests/ui/render.tsx'

const source = [
  'One[^1], two[^b] and again[^1].',
  '',
  '[^1]: The **note** with [a link](https://foo.example/).',
  'Its second line.',
  '[^b]: https://bar.example/',
  '',
  '    A second paragraph.',
  '',
  'After.',
].join('\n')

const references = () => screen.queryAllByRole('doc-noteref')
const backs = () => screen.queryAllByRole('doc-backlink')
const notes = () => [...screen.getByRole('doc-endnotes').children].map(({textContent}) => textContent)
/** The markup, with ids by their order: each rendering has others. */
const markup = (container: Element) => {
  const ids: string[] = []
  return container.innerHTML.replace(/_r_\w+?_/g, (id) => {
    if (!ids.includes(id)) ids.push(id)
    return `id${ids.indexOf(id)}`
  })
}

describe('footnotes', () => {
  test('stand below the text, however far above they are written', () => {
    const {container} = renderView(<Markdown text={source} />)
    expect(references().map(({textContent}) => textContent)).toEqual(['1', 'b', '1'])
    expect(references().every((link) => link.parentElement?.tagName === 'SUP')).toBe(true)
    expect(notes()).toEqual(['1The note with a link.\nIts second line.', 'bhttps://bar.example/A second paragraph.'])
    expect(screen.getByRole('doc-endnotes').previousElementSibling?.textContent).toBe('After.')
    expect(container.querySelector('strong')?.closest('section')).not.toBeNull()
    expect([...container.querySelectorAll('section p')].map((text) => text.getAttribute('dir'))).toEqual([
      ...['auto', 'auto', 'auto'],
    ])
  })

  test('a reference leads to its note and the note back to where it was opened, without a change of the address', () => {
    renderView(<Markdown text={source} />)
    const [first, , again] = references()
    const [note] = backs()
    if (first === undefined || again === undefined || note === undefined) throw new Error('no notes')
    const address = location.href
    expect(fireEvent.click(note)).toBe(false)
    expect(document.activeElement).toBe(first)
    expect(fireEvent.click(again)).toBe(false)
    expect(document.activeElement).toBe(note)
    fireEvent.click(note)
    expect(document.activeElement).toBe(again)
    expect(location.href).toBe(address)
  })

  test('two messages with the same labels have ids of their own', () => {
    renderView(
      <>
        <Markdown text={source} />
        <Markdown text={source} />
      </>,
    )
    const ids = [...references(), ...backs()].map(({id}) => id)
    expect(new Set(ids).size).toBe(10)
    fireEvent.click(references()[3] ?? document.body)
    expect(document.activeElement).toBe(backs()[2])
  })

  test.each(['See [^1].', 'A class [^a-z] of letters', '`[^1]`\n\n[^2]: Nobody refers to it.'])(
    'a reference without a note stays text: %j',
    (text) => {
      const {container} = renderView(<Markdown text={text} />)
      expect(references()).toEqual([])
      expect(backs()).toEqual([])
      expect(container.textContent).toContain(/\[\^[^\]]*\]/.exec(text)?.[0])
    },
  )

  test.each([
    ['a second one of a label', 'a[^1]\n\n[^1]: one\n\n[^1]: two', ['1one', '1two']],
    ['one within another', 'a[^1]\n\n[^1]: one\n\n    [^2]: two', ['1one[^2]: two']],
    ['one that no reference leads to', 'a\n\n[^1]: one', ['1one']],
    ['one with code and a list', 'a[^1]\n\n[^1]: one\n\n    ```\n    x\n    ```\n- b', ['1one']],
  ])('nothing of %s is lost', (_, text, expected) => {
    const {container} = renderView(<Markdown text={text} />)
    container.querySelectorAll('figcaption').forEach((element) => element.remove())
    expect(notes().map((note) => note?.replace(/x.*$/s, ''))).toEqual(expected)
  })

  test('a footnote in code or a quotation is none', () => {
    const {container} = renderView(
      <Markdown text={'```\n[^1]: code\n```\n\n> a[^1]\n>\n> [^1]: https://foo.example/'} />,
    )
    expect(screen.queryByRole('doc-endnotes')).toBeNull()
    expect(container.querySelector('blockquote')?.textContent).toContain('[^1]: https://foo.example/')
  })

  test('a thought has notes of its own', () => {
    renderView(<Markdown text={'<think>a[^1]\n\n[^1]: one</think>\n\nb[^1]'} />)
    expect(references()).toEqual([])
  })

  test('ends with the elements of the whole text, whatever pieces it arrived in', () => {
    const whole = renderView(<Markdown text={source} />)
    const expected = markup(whole.container)
    whole.unmount()
    for (let cut = 0; cut <= source.length; cut += 1) {
      const {container, rerender, unmount} = renderView(<Markdown text={source.slice(0, cut)} growing />)
      rerender(<Markdown text={source} />)
      expect(markup(container), `cut at ${cut}`).toBe(expected)
      unmount()
    }
  })

  test('a settled paragraph keeps its element, and its words stay, when the note of its reference comes', () => {
    const {container, rerender} = renderView(<Markdown text={'One[^1].\n\nTwo'} growing />)
    const paragraph = container.querySelector('p')
    expect(paragraph?.innerHTML).toMatch(/^One<sup[^>]*>1<\/sup>\.$/)
    rerender(<Markdown text={'One[^1].\n\nTwo\n\n[^1]: The'} growing />)
    expect(container.querySelector('p')).toBe(paragraph)
    expect(paragraph?.textContent).toBe('One1.')
    expect(notes()).toEqual(['1The'])
  })

  test('a growing list item gets its link too', () => {
    const {rerender} = renderView(<Markdown text={'- one[^1]\n- two[^2]\n'} growing />)
    rerender(<Markdown text={'- one[^1]\n- two[^2]\n[^1]: a\n[^2]: b'} growing />)
    expect(references()).toHaveLength(2)
  })

  test('a note stands on the side of its first letter, with its label', () => {
    renderView(<Markdown text={'a[^1]\n\n[^1]: **ملاحظة** note\n[^b]: note ملاحظة\n[^3]: 12'} />)
    const rows = [...screen.getByRole('doc-endnotes').children]
    expect(rows.map((row) => row.getAttribute('dir'))).toEqual(['rtl', 'ltr', null])
  })

  test('copied as text they keep their marks', () => {
    expect(plainText('One[^1].\n\n[^1]: The **note**.')).toBe('One[^1].\n\n[^1]: The note.')
  })
})

test('a note has the addresses that stand below the text', () => {
  const {getByRole} = renderView(
    <Markdown text={'Foo[^1].\n\n[^1]: See [the page][p].\n\n[p]: https://foo.example/'} />,
  )
  expect(getByRole('link', {name: 'the page'}).getAttribute('href')).toBe('https://foo.example/')
})
