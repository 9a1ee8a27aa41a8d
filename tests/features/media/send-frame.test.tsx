import {afterEach, describe, expect, test, vi} from 'vitest'
import type {UseTarget} from '#domain/use-targets.ts'
import {sendFrame} from '#features/media/send-frame.ts'

afterEach(() => vi.restoreAllMocks())

const target: UseTarget = {
  kind: 'tool',
  tool: 'flux',
  input: {medium: 'image', field: 'image_url', label: 'image', most: 1},
  value: 'atrium:frame',
}

/** A video of this size, over the ports of a screen. */
function prepare() {
  const video = document.createElement('video')
  // the test's browser knows no videos
  Object.defineProperties(video, {videoWidth: {value: 1280}, videoHeight: {value: 720}})
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  const stored: File[] = []
  const ports = {
    files: {
      prepare: async () => undefined,
      hold: () => ({id: '', name: '', type: '', size: 0}),
      previewOf: () => undefined,
      store: vi.fn(async (file: File) => {
        stored.push(file)
        return 'https://own.test/frame.png'
      }),
    },
    useIn: vi.fn(),
    notify: vi.fn(),
  }
  return {ports, stored, use: () => sendFrame(ports, {tool: 'kling', prompt: 'a kite', target, video})}
}

describe('the frame of a video that is on screen', () => {
  test('is kept as a file and goes on as that of an image would', async () => {
    const {ports, stored, use} = prepare()
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((take) =>
      take(new Blob(['foo'], {type: 'image/png'})),
    )
    await use()
    expect(stored.map(({name, type}) => [name, type])).toEqual([['kling-a-kite.png', 'image/png']])
    expect(ports.useIn.mock.calls).toEqual([[{...target, value: 'https://own.test/frame.png'}, {ratio: 1280 / 720}]])
    expect(ports.notify).not.toHaveBeenCalled()
  })

  test('of another site is told of', async () => {
    const {ports, stored, use} = prepare()
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(() => {
      throw new DOMException('tainted', 'SecurityError')
    })
    await use()
    expect(ports.notify.mock.calls).toEqual([[{kind: 'error', textId: 'common.mediaFrameForeign'}]])
    expect([stored, ports.useIn.mock.calls]).toEqual([[], []])
  })

  test('that cannot be stored is told of', async () => {
    const {ports, use} = prepare()
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((take) => take(new Blob(['foo'])))
    ports.files.store.mockRejectedValue(new Error('foo'))
    await use()
    expect(ports.notify.mock.calls).toEqual([[{kind: 'error', textId: 'common.mediaFrameFailed'}]])
    expect(ports.useIn).not.toHaveBeenCalled()
  })
})
