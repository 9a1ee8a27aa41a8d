import {act, fireEvent, screen} from '@testing-library/react'
import {expect, test, vi} from 'vitest'
import {ResultVideo} from '#features/media/feed/result-video.tsx'
import {Still} from '#features/media/feed/still-image.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {video} from './cards.ts'

/** An observer that the test drives: elements come into view when it says so. */
function useView() {
  const watched = new Map<Element, (entries: {isIntersecting: boolean}[]) => void>()
  class Observer {
    constructor(private readonly report: (entries: {isIntersecting: boolean}[]) => void) {}
    observe(element: Element) {
      watched.set(element, this.report)
    }
    disconnect() {
      for (const [element, report] of watched) if (report === this.report) watched.delete(element)
    }
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  return {
    watched,
    tell: (isIntersecting: boolean) =>
      act(() => {
        for (const report of watched.values()) report([{isIntersecting}])
      }),
  }
}

const videoElement = () => document.querySelector('video')

test('a video without a poster shows its first frame when it comes into view, and loads nothing before', () => {
  const view = useView()
  const {unmount} = renderView(
    <ResultVideo
      artifact={{medium: 'video', id: 'foo', url: 'https://cdn.example/foo.mp4'}}
      alt="foo"
      openLabel="Play foo"
      fit="cover"
      onOpen={() => undefined}
    />,
  )
  expect([videoElement()?.src, videoElement()?.preload]).toEqual(['https://cdn.example/foo.mp4#t=0.001', 'none'])
  view.tell(false)
  expect(videoElement()?.preload).toBe('none')
  view.tell(true)
  expect(videoElement()?.preload).toBe('metadata')
  view.tell(false)
  expect(videoElement()?.preload).toBe('metadata')
  unmount()
  expect(view.watched.size).toBe(0)
})

test('with a poster there is no video before it plays', () => {
  const view = useView()
  renderView(<ResultVideo artifact={video()} alt="foo" openLabel="Play foo" fit="cover" onOpen={() => undefined} />)
  expect([videoElement(), view.watched.size]).toEqual([null, 0])
  expect(screen.getByRole('img', {name: 'foo'}).getAttribute('src')).toBe('https://cdn.example/foo.jpg')
  fireEvent.error(screen.getByRole('img', {name: 'foo'}))
  expect(videoElement()).toBeNull()
  // a poster that is not there takes nothing from the video
  for (let attempts = 0; attempts < 2; attempts += 1) fireEvent.error(screen.getByRole('img', {name: 'foo'}))
  expect(videoElement()?.getAttribute('src')).toMatch(/\.mp4/)
})

test('under the pointer it plays from its beginning, and its position in time shows only then', () => {
  vi.stubGlobal('matchMedia', () => ({matches: true, addEventListener: () => {}, removeEventListener: () => {}}))
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
  const pause = vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue()
  useView()
  const artifact = {medium: 'video' as const, id: 'foo', url: 'https://cdn.example/foo.mp4', durationSeconds: 5}
  renderView(<ResultVideo artifact={artifact} alt="foo" openLabel="Play foo" fit="cover" onOpen={() => undefined} />)
  const shown = videoElement()
  if (shown === null) throw new Error('There is no film')
  fireEvent.timeUpdate(shown)
  expect(screen.getByText('0:05')).toBeVisible()
  fireEvent.pointerEnter(screen.getByRole('button', {name: 'Play foo'}))
  expect(play).toHaveBeenCalledOnce()
  shown.currentTime = 2
  fireEvent.timeUpdate(shown)
  expect(screen.getByText('0:02 / 0:05')).toBeVisible()
  fireEvent.pointerLeave(screen.getByRole('button', {name: 'Play foo'}))
  expect(pause).toHaveBeenCalledOnce()
  expect(shown.currentTime).toBe(0)
  expect(screen.getByText('0:05')).toBeVisible()
})

test('in lists too, and what is no web address is no source', () => {
  const view = useView()
  const {rerender} = renderView(<Still url="https://cdn.example/foo.mp4" />)
  expect([videoElement()?.src, videoElement()?.preload]).toEqual(['https://cdn.example/foo.mp4#t=0.001', 'none'])
  view.tell(true)
  expect(videoElement()?.preload).toBe('metadata')
  rerender(<Still url="javascript:alert(1)" />)
  expect(videoElement()?.hasAttribute('src')).toBe(false)
})
