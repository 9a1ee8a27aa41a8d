/** Milliseconds without a byte after which a download is lost. */
const stallTimeout = 60_000

/** A signal that aborts with the caller's, or when `touch` was not called for the time of a stall. */
export function createStallWatch(caller: AbortSignal | undefined) {
  const controller = new AbortController()
  const follow = () => controller.abort(caller?.reason)
  let timer: ReturnType<typeof setTimeout> | undefined
  const touch = () => {
    clearTimeout(timer)
    timer = setTimeout(
      () => controller.abort(new DOMException('The download stands still.', 'TimeoutError')),
      stallTimeout,
    )
  }
  if (caller?.aborted === true) follow()
  else caller?.addEventListener('abort', follow, {once: true})
  touch()
  return {
    signal: controller.signal,
    touch,
    release: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', follow)
    },
  }
}

/** Reads a body; `touch` hears of each piece. */
export async function readBlob(response: Response, touch: (bytes: number) => void): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const reader = response.body?.getReader()
  while (reader !== undefined) {
    const {done, value} = await reader.read()
    if (done) break
    pieces.push(value)
    touch(value.byteLength)
  }
  return new Blob(pieces, {type: response.headers.get('content-type') ?? ''})
}
