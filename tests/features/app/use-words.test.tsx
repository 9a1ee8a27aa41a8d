import {act, screen} from '@testing-library/react'
import {Suspense} from 'react'
import {expect, test, vi} from 'vitest'
import {AppInfoContext, type AppInfo} from '#app/app-info.tsx'
import {useWords, wordsOf} from '#app/use-words.ts'
import {ZoneBoundary} from '#features/shell/zone-boundary.tsx'
import {renderView} from '../../ui/render.tsx'

function View({name}: {name: string}) {
  useWords('account')
  return <p>{name}</p>
}

/** `key@visit`: another visit of the same zone. */
const views = (prepareWords: AppInfo['prepareWords'], names: readonly string[]) => (
  // as: the hook asks for nothing else
  <AppInfoContext value={{prepareWords} as AppInfo}>
    {names.map((name) => {
      const [key] = name.split('@')
      return (
        <ZoneBoundary key={key} zone={key ?? ''} resetKey={name}>
          <Suspense fallback={`${name} waits `}>
            <View name={name} />
          </Suspense>
        </ZoneBoundary>
      )
    })}
  </AppInfoContext>
)

/** Shows the views in turn; what an act waits for are the promises of their messages. */
async function show(prepareWords: AppInfo['prepareWords'], ...turns: readonly (readonly string[])[]) {
  const {rerender, container} = await act(async () => renderView(views(prepareWords, [])))
  const shown: (string | null)[] = []
  for (const names of turns) {
    await act(async () => rerender(views(prepareWords, names)))
    shown.push(container.textContent)
  }
  return shown
}

const failing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/account-1.js'))
const card = 'This part stopped working.Reload this partCopy details'
const gone = () =>
  vi.fn(() =>
    Promise.reject<void>(Object.assign(new Error('error loading dynamically imported module'), {isGone: true})),
  )

test('a view whose messages do not come says that it stopped, and shows no names of messages', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const prepareWords = gone()
  expect(await show(prepareWords, ['one'], ['one'])).toEqual([card, card])
  expect(prepareWords).toHaveBeenCalledTimes(1)
})

test('what failed is loaded anew by the next view, also in the zone that had stopped', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const prepareWords = vi.fn(() => Promise.resolve()).mockImplementationOnce(gone())
  expect(await show(prepareWords, ['one'], ['one@again'], ['one@again', 'two'])).toEqual([
    card,
    'one@again',
    'one@againtwo',
  ])
  expect(prepareWords).toHaveBeenCalledTimes(2)
})

test('what failed after its view had left is asked for again by the next view', async () => {
  vi.useFakeTimers()
  let fail: (error: Error) => void = () => undefined
  const prepareWords = vi
    .fn(() => Promise.resolve())
    .mockImplementationOnce(() => new Promise((_, reject) => (fail = reject)))
  const {rerender, container} = await act(async () => renderView(views(prepareWords, ['one'])))
  await act(async () => rerender(views(prepareWords, [])))
  fail(new TypeError('Failed to fetch dynamically imported module: /assets/account-1.js'))
  await vi.advanceTimersByTimeAsync(1_000)
  vi.useRealTimers()
  await act(async () => rerender(views(prepareWords, ['two'])))
  expect([container.textContent, prepareWords.mock.calls.length]).toEqual(['two', 2])
})

test('what failed for a view that still waits is not asked for by that view again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.useFakeTimers()
  const prepareWords = gone()
  expect(await show(prepareWords, ['one'])).toEqual([card])
  await vi.advanceTimersByTimeAsync(1_000)
  vi.useRealTimers()
  expect(prepareWords).toHaveBeenCalledTimes(1)
})

test('several views whose messages do not come all say so, and ask no more than once each', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const prepareWords = gone()
  expect(await show(prepareWords, ['one', 'two', 'three'])).toEqual([card.repeat(3)])
  expect(prepareWords.mock.calls.length).toBeLessThanOrEqual(3)
})

test('what was loaded ahead shows without a wait, and what failed ahead is loaded anew by the view', async () => {
  const prepareWords = vi.fn(() => Promise.resolve()).mockImplementationOnce(failing)
  await expect(wordsOf(prepareWords, 'account').loadAhead()).rejects.toThrow('account-1.js')
  await wordsOf(prepareWords, 'account').loadAhead()
  // no act: nothing is waited for
  renderView(views(prepareWords, ['one']))
  expect(screen.getByText('one')).toBeTruthy()
  expect(prepareWords).toHaveBeenCalledTimes(2)
})
