import {fireEvent, screen} from '@testing-library/react'
import {describe, expect, test} from 'vitest'
import {codeFileName, readInfo} from '#features/chat/markdown/code-file.ts'
import {HighlightWorkerContext, type HighlightWorker} from '#features/chat/markdown/highlight-worker.ts'
import {longestPiece} from '#features/chat/markdown/text-pieces.ts'
import {Markdown} from '#features/chat/markdown/markdown.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {WorkerHere} from './worker-here.ts'

describe('code', () => {
  test('has its language, copies exactly its text, and is plain while its fence is open', async () => {
    const startWorker = (): HighlightWorker => new WorkerHere()
    const view = (markdown: string) => (
      <HighlightWorkerContext value={startWorker}>
        <Markdown text={markdown} growing />
      </HighlightWorkerContext>
    )
    const {rerender} = renderView(view('```ts\nconst foo = 1\n'))
    expect(screen.getByText('ts')).toBeVisible()
    expect(document.querySelectorAll('pre [data-scope]')).toHaveLength(0)
    rerender(view('```ts\nconst foo = 1\n```\n'))
    expect(await screen.findByText('const')).toHaveProperty('dataset.scope', 'keyword')
    expect(document.querySelector('pre')?.textContent).toBe('const foo = 1')
  })

  test.each([
    ['text', 'word '.repeat(200_000)],
    ['text without a space', 'x'.repeat(1_000_000)],
    ['code', `\`\`\`\n${'x'.repeat(1_000_000)}\n\`\`\``],
  ])('one line of a megabyte of %s stands in pieces, and nothing of it is lost', (_, text) => {
    const {container} = renderView(<Markdown text={text} />)
    const parts = [...(container.querySelector('p, pre code')?.childNodes ?? [])].map((node) => node.textContent ?? '')
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(longestPiece)
    expect(parts.join('')).toBe(text.replace(/^```\n|\n```$/g, '').trimEnd())
  })

  test('a fence that names a file shows it', () => {
    renderView(<Markdown text={'```ts useDebounced.ts\nx\n```'} />)
    expect(screen.getByText('useDebounced.ts')).toBeVisible()
  })

  const typescript = ['const foo = 1', 'const'] as const
  const python = ['def foo(): pass', 'def'] as const
  test.each([
    ['useDebounced.ts', 'useDebounced.ts', ...typescript],
    ['src/app/main.py', 'main.py', ...python],
    ['App.TSX', 'App.TSX', ...typescript],
    ['app/[slug]/@modal/page.tsx', 'page.tsx', ...typescript],
    ['Größe.py', 'Größe.py', ...python],
    ['.bashrc', 'bashrc', 'if true; then foo; fi', 'if'],
    ['public/index.htm', 'index.htm', '<p id="foo">', 'id'],
    ['math.py', 'math.py', ...python],
    ['title="x.ts"', 'x.ts', ...typescript, 'x.ts'],
    ['{filename=x.ts}', 'x.ts', ...typescript, 'x.ts'],
    ['Dockerfile', 'Dockerfile', 'FROM foo', 'FROM'],
    ['deploy/Dockerfile.production', 'Dockerfile.production', 'FROM foo', 'FROM'],
    ['title="deploy/Makefile"', 'Makefile', 'ifdef foo\nendif', 'ifdef', 'deploy/Makefile'],
  ])('a fence that names %s alone is coloured as such a file and saved as %s', async (...fence) => {
    const [info, name, code, word, label = info] = fence
    const startWorker = (): HighlightWorker => new WorkerHere()
    renderView(
      <HighlightWorkerContext value={startWorker}>
        <Markdown text={`\`\`\`${info}\n${code}\n\`\`\``} />
      </HighlightWorkerContext>,
    )
    expect((await screen.findByText(word)).dataset.scope).toMatch(/keyword|attr/)
    expect(screen.getByText(label)).toBeVisible()
    const {language, file} = readInfo(info)
    expect(codeFileName(language, file)).toBe(name)
  })

  test('a file named math is code in a list too', () => {
    renderView(<Markdown text={'- ```math/index.ts\n  const foo = 1\n  ```'} />)
    expect(screen.getByText('const foo = 1').closest('pre')).toBeVisible()
  })

  test.each([
    ['python', 'python', undefined],
    ['c++', 'c++', undefined],
    ['text/x-python', 'text/x-python', undefined],
    ['text main.py', 'text', 'main.py'],
    ['ts:src/foo.ts', 'ts', undefined],
    ['title="Python"', '', 'Python'],
    ['main.py title="Example"', 'py', 'Example'],
  ])('a fence of %s has its language and its file', (info, language, file) =>
    expect(readInfo(info)).toMatchObject({language, file}),
  )

  test('wraps on demand', () => {
    renderView(<Markdown text={'```\nfoo\n```'} />)
    const wrap = screen.getByRole('button', {name: 'Wrap'})
    expect(wrap.getAttribute('aria-pressed')).toBe('false')
    fireEvent.click(wrap)
    expect(wrap.getAttribute('aria-pressed')).toBe('true')
    expect(document.querySelector('pre')?.hasAttribute('data-wrap')).toBe(true)
  })
})
