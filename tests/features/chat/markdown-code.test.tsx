import {fireEvent, screen} from '@testing-library/react'
import {describe, expect, test} from 'vitest'
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

  test('wraps on demand', () => {
    renderView(<Markdown text={'```\nfoo\n```'} />)
    const wrap = screen.getByRole('button', {name: 'Wrap'})
    expect(wrap.getAttribute('aria-pressed')).toBe('false')
    fireEvent.click(wrap)
    expect(wrap.getAttribute('aria-pressed')).toBe('true')
    expect(document.querySelector('pre')?.hasAttribute('data-wrap')).toBe(true)
  })
})
