import {screen} from '@testing-library/react'
import {describe, expect, test} from 'vitest'
import {Markdown} from '#features/chat/markdown/markdown.tsx'
import {renderView} from '#tests/ui/render.tsx'

/** Its MathML has no name, and is there at once where another test has loaded what writes it. */
const shownFormula = () => screen.getByRole('math', {name: /./})

describe('money and formulas', () => {
  test.each([
    'It costs $5 and $6.',
    'US$5 or CA$6',
    'between $10-$20 a month',
    'from $1,000 to $2,000.50$ off',
    'set $HOME and $PATH',
    'I have $5, you have 6$ in total',
    '`$x$` and \\$y\\$',
    'plans for $5/$10 or $1,$NAME',
    'was $20-$x',
  ])('%j is text', (text) => {
    const {container} = renderView(<Markdown text={text} />)
    expect(container.querySelector('[role="math"]')).toBeNull()
  })

  test.each([
    ['$x$', 'x'],
    ['so $E = mc^2$ holds', 'E = mc^2'],
    ['$2^n$', '2^n'],
    ['entries of $0$, or so', '0'],
    ['about $3.14$', '3.14'],
    ['$3 \\text{ if } x > 0$', '3 \\text{ if } x > 0'],
    ['$5\\,\\mathrm{km per hour}$', '5\\,\\mathrm{km per hour}'],
    ['\\(a+b\\)', 'a+b'],
    ['inline $$a$$ here', 'a'],
    ['$$\na\n\nb\n$$', 'a\n\nb'],
    ['\\[\n\\frac{a}{b}\n\\]', '\\frac{a}{b}'],
    ['```math\nx\n```', 'x'],
    ['- item $y_1$', 'y_1'],
    ['\\begin{align}\na &= b\n\\end{align}', '\\begin{align}\na &= b\n\\end{align}'],
    ['words:\n\\begin{cases} 1\n\n2 \\end{cases}\n', '\\begin{cases} 1\n\n2 \\end{cases}'],
    ['  \\begin{equation*}x\\end{equation*}', '\\begin{equation*}x\\end{equation*}'],
    [
      '\\begin{pmatrix}\n\\begin{pmatrix}a\\end{pmatrix} & b\n\\end{pmatrix}\n**c**',
      '\\begin{pmatrix}\n\\begin{pmatrix}a\\end{pmatrix} & b\n\\end{pmatrix}',
    ],
  ])('%j is a formula', (text, tex) => {
    renderView(<Markdown text={text} />)
    const formula = shownFormula()
    expect(formula).toBeVisible()
    expect(formula.getAttribute('aria-label')).toBe(tex)
  })

  test.each([
    '\\begin{tabular}\na\n\\end{tabular}',
    '\\begin{align}a\\end{align} is one',
    '`\\begin{align}a\\end{align}`',
    'so \\begin{align}a\\end{align}',
    '```latex\n\\begin{align}\na\n\\end{align}\n```',
  ])('%j is no formula', (text) => {
    const {container} = renderView(<Markdown text={text} />)
    expect(container.querySelector('[role="math"]')).toBeNull()
    expect(container.textContent).toContain('\\begin')
  })

  test.each([
    ['1. Sum:\n   $$\n   a\n   + b\n   - c\n   $$\n2. Next', 'a + b - c', 2],
    ['- Sum: $$\n  a\n  = b\n\n  > c\n  $$\n- Next', 'a = b > c', 2],
    ['* $$a % foo\n  1. b$$\n* Next', 'a 1. b', 2],
    ['- one\n  - \\[\n    * a \\\\[2pt]\n    # b\n    \\]\n- Next', '* a \\\\[2pt] # b', 3],
    ['1. Sum:\n\n   $$\n   + b\n   $$\n2. Next', '+ b', 2],
    ['- ```so``` it is\n- Sum:\n  $$\n  a\n  + b\n  $$\n- Next', 'a + b', 3],
    ['> - Sum:\n>   $$\n>   a\n>   + b\n>   $$\n> - Next', 'a + b', 2],
  ])('%j is one formula in its list', (text, tex, items) => {
    const {container} = renderView(<Markdown text={text} />)
    expect(shownFormula().getAttribute('aria-label')?.trim()).toBe(tex)
    expect(container.querySelectorAll('li')).toHaveLength(items)
    expect(container.textContent).toMatch(/Next$/)
  })

  test.each([
    '- $$ is the end\n- and $$ more',
    '- `$$`\n  + b\n  `$$`',
    '- ```\n  $$\n  + b\n  $$\n  ```',
    '- costs $$\n- more\n- and more',
  ])('%j is text in its list', (text) => {
    const {container} = renderView(<Markdown text={text} />)
    expect(container.querySelector('[role="math"]')).toBeNull()
    expect(container.textContent?.match(/\$\$/g)).toHaveLength(text.match(/\$\$/g)?.length ?? 0)
  })

  test.each(['````\n```\n$$\n+ b\n$$\n```\n````', '~~~\n```\n$$\n+ b\n$$\n~~~', '```\n- ```\n$$\n+ b\n$$\n```'])(
    '%j in a list is code of several lines',
    (code) => {
      const {container} = renderView(<Markdown text={`- ${code.replaceAll('\n', '\n  ')}\n- Next`} />)
      expect(container.querySelector('pre')?.textContent?.trim()).toBe(code.split('\n').slice(1, -1).join('\n'))
    },
  )

  test('a formula in a list shows none of its lines before it is whole, and its list grows by no item', () => {
    const text = '1. Sum:\n   $$\n   a\n   + b\n   - c\n   $$\n2. Next'
    const {container, rerender} = renderView(<Markdown text="" growing />)
    const shown: string[] = []
    for (let cut = 1; cut <= text.length; cut += 1) {
      rerender(<Markdown text={text.slice(0, cut)} growing />)
      const copy = container.cloneNode(true) as Element // cloneNode is typed as Node
      copy.querySelectorAll('[role="math"]').forEach((formula) => formula.remove())
      shown.push([...copy.querySelectorAll('li')].map((item) => item.textContent?.trim()).join('|'))
    }
    expect([...new Set(shown)].filter((each) => !/^(?:S?u?m?:?|Sum:\|N?e?x?t?)$/.test(each))).toEqual([])
    expect(shown.at(-1)).toBe('Sum:|Next')
    expect(shownFormula()).toBeVisible()
  })

  test('a formula without dollar signs shows none of its letters before it is whole', () => {
    const text = 'So\n\n\\begin{align*}\na &= b\n\\end{align*}\n\nand **more**'
    const {container, rerender} = renderView(<Markdown text="" growing />)
    const shown = new Set<string>()
    for (let cut = 1; cut <= text.length; cut += 1) {
      rerender(<Markdown text={text.slice(0, cut)} growing />)
      const copy = container.cloneNode(true) as Element // cloneNode is typed as Node
      copy.querySelectorAll('[role="math"]').forEach((formula) => formula.remove())
      shown.add(copy.textContent ?? '')
    }
    const whole = 'Soand more'
    const beginnings = Array.from(whole, (_, index) => whole.slice(0, index + 1))
    expect([...shown]).toEqual(beginnings.filter((beginning) => !beginning.endsWith(' ')))
    expect(shownFormula()).toBeVisible()
  })

  test('a number in dollar signs shows none of them while it is written, and a price all of it', () => {
    const seenWhile = (text: string) => {
      const {container, rerender} = renderView(<Markdown text="" growing />)
      return Array.from(text, (_, index) => {
        rerender(<Markdown text={text.slice(0, index + 1)} growing />)
        return container.textContent ?? ''
      })
    }
    expect(seenWhile('is $10$ so').filter((shown) => shown.includes('$'))).toEqual([])
    expect(seenWhile('is $10 so').at(-1)).toBe('is $10 so')
  })

  test('writes MathML and trusts nothing', async () => {
    const {container} = renderView(
      <Markdown text={'$\\href{javascript:alert(1)}{x}\\includegraphics{https://evil.example/a.png}$ and $y$'} />,
    )
    await screen.findByText(
      (_, element) => element?.tagName.toLowerCase() === 'math' && element.textContent?.includes('y') === true,
    )
    expect(container.querySelector('a, img, [href], [src]')).toBeNull()
  })

  test('a formula of an environment is read with it', async () => {
    const {container} = renderView(<Markdown text={'\\begin{gather*}\nx \\\\ y\n\\end{gather*}'} />)
    await expect.poll(() => container.querySelectorAll('mtr').length).toBe(2)
    expect(container.querySelector('[data-source]')).toBeNull()
  })

  test('a formula that cannot be read is shown as text', async () => {
    renderView(<Markdown text={'$\\frac{a$'} />)
    const formula = shownFormula()
    await expect.poll(() => formula.dataset.source).toBe('true')
    expect(formula.textContent).toBe('\\frac{a')
  })
})
