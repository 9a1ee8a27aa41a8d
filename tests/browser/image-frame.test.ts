import {expect, test, vi} from 'vitest'
import {fillImageFrame, type ImageFrameReport} from '#browser/image-frame.ts'

const address = 'https://foo.example/cat.png'

function openFrame() {
  const frame = document.createElement('iframe')
  const post = vi.fn()
  // as: the only part of a window that is asked
  const frameWindow = {postMessage: post} as unknown as Window
  Object.defineProperty(frame, 'contentWindow', {value: frameWindow})
  const reports: ImageFrameReport[] = []
  const stop = fillImageFrame(frame, address, (fact) => reports.push(fact))
  const say = (
    data: unknown,
    {origin = 'null', source = frameWindow}: {origin?: string; source?: Window | null} = {},
  ) => window.dispatchEvent(new MessageEvent('message', {data, origin, source}))
  return {frame, post, reports, stop, say}
}

test('a frame gets the address when it has loaded, and not before', () => {
  const {frame, post, stop} = openFrame()
  expect(post).not.toHaveBeenCalled()
  frame.dispatchEvent(new Event('load'))
  expect(post.mock.calls).toEqual([[{imageAddress: address}, '*']])
  stop()
  frame.dispatchEvent(new Event('load'))
  expect(post).toHaveBeenCalledTimes(1)
})

test('reports of this frame and of the known shapes count, until it is stopped', () => {
  const {reports, say, stop} = openFrame()
  say({type: 'image.asked', more: 'foo'})
  say({type: 'image.loaded', width: 8, height: 6, more: 'foo'})
  say({type: 'image.failed'})
  stop()
  say({type: 'image.failed'})
  expect(reports).toEqual([{type: 'image.asked'}, {type: 'image.loaded', width: 8, height: 6}, {type: 'image.failed'}])
})

test('nothing else counts', () => {
  const {reports, say, stop} = openFrame()
  const shown = {type: 'image.loaded', width: 8, height: 6}
  say(shown, {origin: location.origin})
  say(shown, {origin: 'https://foo.example'})
  say(shown, {source: window})
  say(shown, {source: null})
  for (const data of [
    undefined,
    null,
    'image.failed',
    [],
    {},
    {type: 'image.retry'},
    {type: 'image.loaded'},
    ...[0, -1, 1.5, Number.NaN, Infinity, 100_001, '8', null, {}].flatMap((side) => [
      {...shown, width: side},
      {...shown, height: side},
    ]),
  ])
    say(data)
  expect(reports).toEqual([])
  stop()
})
