import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {ApiError} from '#api/api-error.ts'
import {createFilesApi, type UploadStreamEvent} from '#api/files.ts'
import {timersOf} from '#tests/timers-of.ts'

/** The part of XMLHttpRequest an upload uses, driven by hand. */
const createFakeRequest = () => ({
  status: 0,
  responseText: '',
  upload: {onprogress: null as null | ((event: {loaded: number; total: number; lengthComputable: boolean}) => void)},
  onload: null as null | (() => void),
  onerror: null as null | (() => void),
  open: vi.fn(),
  setRequestHeader: vi.fn(),
  send: vi.fn(),
  abort: vi.fn(),
})

const setUp = (capabilities: string[] = []) => {
  const request = createFakeRequest()
  const onUnauthorized = vi.fn()
  const files = createFilesApi({
    createRequest: () => request as unknown as XMLHttpRequest, // a hand-made double of the browser's
    config: {platform: 'https://platform.test', capabilities},
    accessToken: () => 'foo',
    onUnauthorized,
  })
  const events: UploadStreamEvent[] = []
  let end: unknown = 'running'
  const start = (file = new File(['hello'], 'hé.txt', {type: 'text/plain'})) =>
    files.upload$(file).subscribe({
      next: (event) => events.push(event),
      error: (error: unknown) => (end = error),
      complete: () => (end = 'completed'),
    })
  const answer = (status: number, body: string) => Object.assign(request, {status, responseText: body}).onload?.()
  const move = (loaded: number, lengthComputable = true) =>
    request.upload.onprogress?.({loaded, total: 200, lengthComputable})
  const lastKey = () =>
    request.setRequestHeader.mock.calls.findLast(([name]) => name === 'Idempotency-Key')?.[1] as string | undefined
  return {request, start, lastKey, events, answer, move, onUnauthorized, end: () => end}
}

let ownTimers: () => number
beforeEach(() => {
  vi.useFakeTimers()
  ownTimers = timersOf('src/api/files.ts')
})
afterEach(() => {
  expect(ownTimers()).toBe(0)
  vi.useRealTimers()
})

test('sends one part and only the authorization header', () => {
  const {request, start, answer} = setUp()
  expect(request.open).not.toHaveBeenCalled()
  start()
  expect(request.open.mock.calls).toEqual([['POST', 'https://platform.test/api/v1/files/']])
  expect(request.setRequestHeader.mock.calls).toEqual([['Authorization', 'Bearer foo']])
  const body = request.send.mock.calls[0]?.[0] as FormData
  expect(Array.from(body.keys())).toEqual(['file'])
  expect((body.get('file') as File).name).toBe('hé.txt')
  answer(200, '{"file_url":"https://platform.test/f"}')
})

describe('the key of an upload', () => {
  const stored = '{"file_url":"https://platform.test/f"}'
  /** Sends the file, lets it end, and gives the key that was sent. */
  const send = (on: ReturnType<typeof setUp>, file: File, end: () => void) => {
    on.start(file)
    end()
    return on.lastKey()
  }

  test('is sent to a server that offers it only', () => {
    const own = setUp(['upload-keys'])
    expect(send(own, new File(['a'], 'a.txt'), () => own.answer(201, stored))).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each<[string, (on: ReturnType<typeof setUp>) => void]>([
    ['a broken connection', ({request}) => request.onerror?.()],
    ['an outage', ({answer}) => answer(503, '')],
    ['a sign-in that has ended', ({answer}) => answer(401, '{}')],
    ['a limit', ({answer}) => answer(429, '{}')],
    ['an answer that says nothing', ({answer}) => answer(200, '<html>')],
  ])('stays after %s', (_what, fail) => {
    const on = setUp(['upload-keys'])
    const file = new File(['a'], 'a.txt')
    const first = send(on, file, () => fail(on))
    expect(send(on, file, () => on.answer(201, stored))).toBe(first)
  })

  test('stays when the upload is taken back, also for another instance of the service', () => {
    const [one, other] = [setUp(['upload-keys']), setUp(['upload-keys'])]
    const file = new File(['a'], 'a.txt')
    one.start(file).unsubscribe()
    expect(send(other, file, () => other.answer(201, stored))).toBe(one.lastKey())
  })

  test.each([201, 404, 422])('is another one after %i, and for another file', (status) => {
    const on = setUp(['upload-keys'])
    const file = new File(['a'], 'a.txt')
    const first = send(on, file, () => on.answer(status, stored))
    const second = send(on, file, () => on.answer(201, stored))
    const third = send(on, new File(['a'], 'a.txt'), () => on.answer(201, stored))
    expect(new Set([first, second, third]).size).toBe(3)
  })
})

test('a 401 says which token was refused, so that it is renewed', () => {
  const {start, answer, onUnauthorized, end} = setUp()
  start()
  answer(401, '{"code":"invalid_token"}')
  expect(onUnauthorized.mock.calls).toEqual([[{bearer: 'foo'}]])
  expect(end()).toHaveProperty('status', 401)
})

test('reports whole percents, each once, then the file', () => {
  const {start, events, answer, move, end} = setUp()
  start()
  for (const loaded of [0, 1, 2, 100, 101, 200]) move(loaded)
  answer(201, '{"file_url":"https://platform.test/f","size":5,"name":null}')
  expect(events).toEqual([
    ...[0, 1, 50, 100].map((percent) => ({type: 'upload.progressed', percent})),
    {type: 'upload.finished', file: {file_url: 'https://platform.test/f', size: 5, name: null}},
  ])
  expect(end()).toBe('completed')
})

test('a size nobody knows is no percent', () => {
  const {start, events, move, answer} = setUp()
  start()
  move(100, false)
  expect(events).toEqual([{type: 'upload.progressed', percent: 0}])
  answer(200, '{"file_url":"f"}')
})

describe('failures', () => {
  test.each([
    [413, '{"code":"content_too_large","detail":"foo"}', {code: 'content_too_large', detail: 'foo', status: 413}],
    [413, '<html>', {code: 'content_too_large', detail: 'An error occurred', status: 413}],
    [413, '{"error":{"code":"nginx","message":"foo"}}', {code: 'content_too_large', detail: 'foo', status: 413}],
    [415, '{"code":"bad_request","detail":"foo"}', {code: 'bad_request', detail: 'foo', status: 415}],
    [401, '{}', {code: 'api_error', detail: 'An error occurred', status: 401}],
    [502, '', {code: 'busy', detail: 'An error occurred', status: 502}],
    [200, '{}', {code: 'unknown', detail: 'The server did not say where the file is.', status: 200}],
    [200, '<html>', {code: 'unknown', detail: 'The server did not say where the file is.', status: 200}],
  ])('%i %s', (status, body, failure) => {
    const {start, answer, end} = setUp()
    start()
    answer(status, body)
    expect(end()).toEqual(new ApiError(failure))
  })

  test('a broken connection is lost', () => {
    const {start, request, end} = setUp()
    start()
    request.onerror?.()
    expect(end()).toEqual(new ApiError({code: 'unknown', detail: 'The connection broke.', lost: true}))
  })

  test('an upload that stands still for a minute is given up', () => {
    const {start, request, move, end} = setUp()
    start()
    vi.advanceTimersByTime(59_000)
    move(10)
    vi.advanceTimersByTime(59_999)
    expect(end()).toBe('running')
    vi.advanceTimersByTime(1)
    expect(end()).toEqual(new ApiError({code: 'timeout', detail: 'The upload stands still.', lost: true}))
    expect(request.abort).toHaveBeenCalled()
  })
})

test('unsubscribing aborts', () => {
  const {start, request, end} = setUp()
  start().unsubscribe()
  expect(request.abort).toHaveBeenCalledOnce()
  expect(request.onload).toBeNull()
  expect(end()).toBe('running')
})
