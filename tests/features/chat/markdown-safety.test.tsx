import {screen} from '@testing-library/react'
import {describe, expect, test} from 'vitest'
import {Markdown} from '#features/chat/markdown/markdown.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {seenOf} from './markdown-fixture.tsx'

describe('attacks', () => {
  const attacks: [string, string][] = [
    ['script', '<script>alert(1)</script>'],
    ['event handler', '<img src=x onerror=alert(1)>'],
    ['svg', '<svg onload=alert(1)><a xlink:href="javascript:alert(1)">x</a></svg>'],
    ['iframe', 'text <iframe src="https://evil.example"></iframe>'],
    ['style', '<style>body{background:url(https://evil.example)}</style>'],
    ['form', '<form action=https://evil.example><input name=a></form>'],
    [
      'mutation',
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    ],
    ['link to javascript', '[x](javascript:alert(1))'],
    ['upper case', '[x](JaVaScRiPt:alert(1))'],
    ['entity', '[x](javascript&#58;alert(1))'],
    ['named entity', '[x](java&Tab;script&colon;alert(1))'],
    ['tab inside', '[x](<java\tscript:alert(1)>)'],
    ['control character', '[x](\u0001javascript:alert(1))'],
    ['data', '[x](data:text/html,<script>alert(1)</script>)'],
    ['vbscript', '[x](vbscript:msgbox(1))'],
    ['blob', '[x](blob:https://foo.example/1)'],
    ['file', '[x](file:///etc/passwd)'],
    ['autolink', '<javascript:alert(1)>'],
    ['reference', '[x]\n\n[x]: javascript:alert(1)'],
    ['image', '![x](javascript:alert(1))'],
    ['image of data', '![x](data:image/svg+xml,<svg onload=alert(1)>)'],
    ['protocol relative', '[x](//evil.example/a)'],
    ['title', '[x](https://foo.example "\\"><img src=x onerror=alert(1)>")'],
    ['code language', '```"><img src=x onerror=alert(1)>\nfoo\n```'],
    ['table', '| <img src=x onerror=alert(1)> |\n|---|\n| <b onclick=alert(1)>x</b> |'],
    ['thought', '<think><img src=x onerror=alert(1)></think>'],
  ]
  test.each(attacks)('%s makes no element that acts', (_, text) => {
    const {container} = renderView(<Markdown text={text} />)
    expect(
      container.querySelector(
        'script, style, iframe, img, svg:not([aria-hidden]), form, object, embed, video, audio, base, meta, link, math',
      ),
    ).toBeNull()
    for (const element of container.querySelectorAll('*')) {
      const handlers = element
        .getAttributeNames()
        .filter((name) => name.startsWith('on') || name === 'srcdoc' || name === 'srcset')
      expect(handlers).toEqual([])
    }
    for (const link of container.querySelectorAll('a')) expect(link.getAttribute('href')).toMatch(/^(?:https?|mailto):/)
  })

  test('raw HTML is shown as it was written', () => {
    expect(seenOf('a <b>bold</b> <!-- note -->')).toBe('a<b>bold</b><!--note-->')
  })

  test('links open apart and say nothing of us', () => {
    renderView(<Markdown text="[x](https://foo.example)" />)
    const link = screen.getByRole('link', {name: 'x'})
    expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow ugc')
    expect(link.getAttribute('target')).toBe('_blank')
  })

  test.each([
    ['[https://bank.example](https://evil.example/x)', '(evil.example)'],
    ['[bank.example/login](https://evil.example)', '(evil.example)'],
    ['[www.bank.example](https://bank.example.evil.example)', '(bank.example.evil.example)'],
    ['[https://bank.example@evil.example](https://bank.example@evil.example)', '(evil.example)'],
    ['[аррӏе.com](https://evil.example)', '(evil.example)'],
  ])('%s shows where it goes', (text, host) => {
    const {container} = renderView(<Markdown text={text} />)
    expect(container.textContent).toContain(host)
  })

  test.each([
    '[https://foo.example/a](https://foo.example/b)',
    '[foo.example](https://www.foo.example)',
    '[a word](https://foo.example)',
    '[Version 1.2](https://foo.example)',
  ])('%s needs no host beside it', (text) => {
    const {container} = renderView(<Markdown text={text} />)
    expect(container.textContent).not.toContain('(')
  })
})

describe('bounds', () => {
  const size = 80_000
  const inputs: [string, string][] = [
    ['quotations', '>'.repeat(size)],
    ['spaced quotations', '> '.repeat(size / 2)],
    ['brackets', '['.repeat(size)],
    ['links', '[]('.repeat(size / 3)],
    ['images', '![a]('.repeat(size / 5)],
    ['bold', '**a**'.repeat(size / 5)],
    ['bold words', '**a** '.repeat(size / 6)],
    ['emphasis', '*_'.repeat(size / 2)],
    ['stars', '*a '.repeat(size / 3)],
    ['tildes', '~a~ '.repeat(size / 4)],
    ['ticks', '`a``'.repeat(size / 4)],
    ['tags', '<a '.repeat(size / 3)],
    ['dollars', '$a '.repeat(size / 3)],
    ['nested lists', Array.from({length: 300}, (_, depth) => `${' '.repeat(depth * 2)}- x`).join('\n')],
    ['nested list markers', '- '.repeat(size / 2)],
    ['one word', 'a'.repeat(size)],
    ['thoughts', '<think>'.repeat(size / 7)],
  ]
  test.each(inputs)('%s become plain text and lose nothing', (_, text) => {
    for (const growing of [false, true]) {
      const {container, unmount} = renderView(<Markdown text={text} growing={growing} />)
      expect(container.querySelectorAll('*').length).toBeLessThan(600)
      unmount()
    }
    const shown = seenOf(text)
    if (!text.startsWith('<think>')) expect(shown.length).toBe(text.replace(/\s/g, '').length)
  })
})
