import {act, screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useState} from 'react'
import {expect, test, vi} from 'vitest'
import {WriteButton} from '#features/media/fields/write-button.tsx'
import {renderView} from '#tests/ui/render.tsx'

/** A text of a form, and what writes it. */
function Written({write}: {write: (idea: string) => Promise<string>}) {
  const [texts, setTexts] = useState([''])
  return (
    <>
      <textarea readOnly value={texts[0]} />
      <WriteButton
        onWrite={async (idea) => {
          const text = await write(idea)
          setTexts((before) => [text, ...before])
        }}
        onUndo={texts.length > 1 ? () => setTexts(texts.slice(1)) : undefined}
      />
    </>
  )
}

function show() {
  const asked: {come: (text: string) => void; fail: (error: Error) => void}[] = []
  const write = vi.fn((_idea: string) => new Promise<string>((come, fail) => asked.push({come, fail})))
  renderView(<Written write={write} />)
  return {asked, write}
}

const shown = () => document.querySelector('textarea')?.value
const openIdea = async () => {
  await userEvent.click(screen.getByRole('button', {name: 'Write for me'}))
  return screen.findByLabelText('What should it be about?')
}

test('a text is asked for with its idea, comes into the form, and is taken back', async () => {
  const {asked, write} = show()
  await userEvent.type(await openIdea(), '  a cold sea {Enter}')
  expect(write).toHaveBeenCalledExactlyOnceWith('a cold sea')
  expect(screen.getByRole('status').textContent).toContain('Writing')
  // one at a time
  expect(screen.queryByRole('button')).toBeNull()
  expect(shown()).toBe('')

  await act(async () => asked[0]?.come('The sea is cold.'))
  expect(screen.queryByRole('status')).toBeNull()
  expect(shown()).toBe('The sea is cold.')
  await userEvent.click(screen.getByRole('button', {name: 'Undo'}))
  expect(shown()).toBe('')
  expect(screen.queryByRole('button', {name: 'Undo'})).toBeNull()
})

test('an idea that says nothing is not sent', async () => {
  const {write} = show()
  await userEvent.type(await openIdea(), '   {Enter}')
  expect(write).not.toHaveBeenCalled()
})

test('a text that could not be written is said, and is asked for again with the same idea', async () => {
  const {asked, write} = show()
  await userEvent.type(await openIdea(), 'a cold sea{Enter}')
  await act(async () => asked[0]?.fail(new Error('busy')))
  expect(screen.getByRole('alert').textContent).toBe("This one didn't work")
  expect(shown()).toBe('')

  const again = await openIdea()
  expect(again).toHaveProperty('value', 'a cold sea')
  await userEvent.type(again, '{Enter}')
  expect(write.mock.calls).toEqual([['a cold sea'], ['a cold sea']])
  expect(screen.queryByRole('alert')).toBeNull()
  await act(async () => asked[1]?.come('The sea is cold.'))
  expect(shown()).toBe('The sea is cold.')
  expect(screen.queryByRole('alert')).toBeNull()
})
