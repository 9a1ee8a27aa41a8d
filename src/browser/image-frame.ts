/** Reports of the frame that shows an image of another host (src/server/http/image-frame.ts). */
export type ImageFrameReport =
  | {type: 'image.asked'}
  | {type: 'image.loaded'; width: number; height: number}
  | {type: 'image.failed'}

/** Pixels; no browser shows a larger image. */
const longestSide = 100_000
const isSide = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= longestSide

function readReport(data: unknown): ImageFrameReport | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data)) return undefined
  if (data.type === 'image.asked' || data.type === 'image.failed') return {type: data.type}
  if (data.type !== 'image.loaded' || !('width' in data && 'height' in data)) return undefined
  const {width, height} = data
  return isSide(width) && isSide(height) ? {type: data.type, width, height} : undefined
}

/**
 * Gives the frame the image's address when it has loaded, and passes on what that frame reports; messages of other
 * windows and origins, and of another shape, are dropped. The frame's origin is opaque, which messages spell `null` and
 * which no message can name as its target: the policy of the page keeps other pages out of the frame. Returns its stop.
 */
export function fillImageFrame(
  frame: HTMLIFrameElement,
  imageAddress: string,
  report: (fact: ImageFrameReport) => void,
): () => void {
  const listening = new AbortController()
  const {signal} = listening
  const give = () => frame.contentWindow?.postMessage({imageAddress}, '*')
  const read = ({source, origin, data}: MessageEvent) => {
    if (source === null || source !== frame.contentWindow || origin !== 'null') return
    const fact = readReport(data)
    if (fact !== undefined) report(fact)
  }
  frame.addEventListener('load', give, {signal})
  window.addEventListener('message', read, {signal})
  return () => listening.abort()
}
