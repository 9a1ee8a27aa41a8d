import {act, screen} from '@testing-library/react'
import {Suspense} from 'react'
import {expect, test, vi} from 'vitest'
import {AppInfoContext, type AppInfo} from '#app/app-info.tsx'
import {useWords, wordsOf} from '#app/use-words.ts'
import {renderView} from '../../ui/render.tsx'

function View({name}: {name: string}) {
  useWords('account')
  return <p>{name}</p>
}

const views = (prepareWords: AppInfo['prepareWords'], names: readonly string[]) => (
  // as: the hook asks for nothing else
  <AppInfoContext value={{prepareWords} as AppInfo}>
    {names.map((name) => (
      <Suspense key={name}>
        <View name={name} />
      </Suspense>
    ))}
  </AppInfoContext>
)

/** Shows the views in turn; what an act waits for are the promises of their messages. */
async function show(prepareWords: AppInfo['prepareWords'], ...turns: readonly (readonly string[])[]) {
  const {rerender} = await act(async () => renderView(views(prepareWords, [])))
  const shown: string[] = []
  for (const names of turns) {
    await act(async () => rerender(views(prepareWords, names)))
    shown.push(names.filter((name) => screen.queryByText(name) !== null).join(' '))
  }
  return shown
}

test('what failed is loaded anew by the next view, after the view that shows without it has gone', async () => {
  const prepareWords = vi.fn(() => Promise.resolve(true)).mockResolvedValueOnce(false)
  expect(await show(prepareWords, ['one'], ['one'], [])).toEqual(['one', 'one', ''])
  expect(prepareWords).toHaveBeenCalledTimes(1)
  expect(await show(prepareWords, ['two'], [], ['three'])).toEqual(['two', '', 'three'])
  expect(prepareWords).toHaveBeenCalledTimes(2)
})

test('a view that shows without its messages stays when another one goes, and that one is tried anew', async () => {
  const pending = new Promise<boolean>(() => undefined)
  const prepareWords = vi.fn(() => pending).mockResolvedValueOnce(false)
  expect(await show(prepareWords, ['one', 'two'], ['one'], ['one', 'three'])).toEqual(['one two', 'one', 'one'])
  expect(prepareWords).toHaveBeenCalledTimes(2)
})

test('what was loaded ahead shows without a wait, and what failed ahead is loaded anew by the view', async () => {
  const prepareWords = vi.fn(() => Promise.resolve(true)).mockResolvedValueOnce(false)
  await wordsOf(prepareWords, 'account').loadAhead()
  await wordsOf(prepareWords, 'account').loadAhead()
  // no act: nothing is waited for
  renderView(views(prepareWords, ['one']))
  expect(screen.getByText('one')).toBeTruthy()
  expect(prepareWords).toHaveBeenCalledTimes(2)
})
