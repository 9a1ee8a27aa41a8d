import {expect, test} from 'vitest'
import {Markdown} from '#features/chat/markdown/markdown.tsx'
import styles from '#features/chat/markdown/markdown.module.css'
import {renderView} from '#tests/ui/render.tsx'

/** Returns the positions of the writing mark: the tag and the text of the block. */
const marks = (text: string, growing = true) => {
  const {container, unmount} = renderView(<Markdown text={text} growing={growing} />)
  const found = [...container.querySelectorAll(`.${styles.writing}`)].map(
    ({tagName, textContent}) => `${tagName.toLowerCase()} ${textContent}`,
  )
  unmount()
  return found
}

test.each([
  ['one\n\ntwo', 'p two'],
  ['one\n\ntwo\n\n', 'p two'],
  ['one\n\n## two', 'h3 two'],
  ['> one\n>\n> two', 'p two'],
  ['- one\n- two', 'li two'],
  ['1. one\n   - two\n   - three', 'li three'],
  ['- one\n\n- two\n\n  three', 'p three'],
  ['- [ ] one\n- [x] two', 'li two'],
])('the writing mark stands behind the last word of %j', (text, position) => expect(marks(text)).toEqual([position]))

test.each(['one\n\n```js\ntwo', 'one\n\n| a | b |\n|---|---|\n| c | d |\n', 'one\n\n---\n'])(
  'nothing of text that is over is marked, as in %j',
  (text) => expect(marks(text)).toEqual([]),
)

test('the mark goes on to the next block, and away with the end', () => {
  const blocks = Array.from({length: 30}, (_, index) => `Block ${index}`)
  const {container, rerender} = renderView(<Markdown text={blocks.slice(0, 29).join('\n\n')} growing />)
  const marked = () => [...container.querySelectorAll(`.${styles.writing}`)].map(({textContent}) => textContent)
  expect(marked()).toEqual(['Block 28'])
  rerender(<Markdown text={blocks.join('\n\n')} growing />)
  expect(marked()).toEqual(['Block 29'])
  rerender(<Markdown text={blocks.join('\n\n')} />)
  expect(marked()).toEqual([])
})
