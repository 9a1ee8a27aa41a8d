import {openImage} from '../image-file.ts'
import {seededRandom} from '../random.ts'
import type {Size} from '../sizes.ts'

/** Draws the frame of a moment, in seconds, into RGBA. */
export type FramePainter = (frame: Uint8Array, time: number) => void

/** How far the camera goes towards an image, and in how many seconds it is there and back. */
const [mostZoom, tripSeconds] = [0.16, 20]
const mostImages = 5
/** In that time the camera has turned to another point. */
const turnSeconds = 3

/** From that second on the camera looks elsewhere: one video goes on in several ways. */
export type Turn = {at: number; seed: number}

/**
 * Images in their order: the first is the first frame, each fades into the next, and the last stays. The camera moves
 * towards a point of them and back.
 */
export async function createCamera(
  images: readonly Uint8Array[],
  {seed, size, seconds, turn}: {seed: number; size: Size; seconds: number; turn?: Turn},
): Promise<FramePainter> {
  const stills = await Promise.all(images.slice(0, mostImages).map((bytes) => pixelsOf(bytes, size)))
  const [from, to] = [focusOf(seed), focusOf(turn?.seed ?? seed)]
  return (frame, time) => {
    const position = Math.min(1, time / seconds) * (stills.length - 1)
    const index = Math.min(Math.floor(position), Math.max(0, stills.length - 2))
    const [current, next] = [stills[index], stills[index + 1]]
    if (current === undefined) throw new Error('a video needs an image')
    const turnShare = smooth((time - (turn?.at ?? 0)) / turnSeconds)
    const view = {
      zoom: 1 + mostZoom * Math.abs(Math.sin((Math.PI * time) / tripSeconds)),
      x: from.x + (to.x - from.x) * turnShare,
      y: from.y + (to.y - from.y) * turnShare,
    }
    drawZoomed(frame, current, size, view, 1)
    const fade = smooth((position - index - 0.25) / 0.5)
    if (next !== undefined && fade > 0) drawZoomed(frame, next, size, view, fade)
  }
}

async function pixelsOf(bytes: Uint8Array, size: Size): Promise<Uint8Array> {
  const {image} = await openImage(bytes)
  return image()
    .resize({...size, fit: 'cover'})
    .ensureAlpha()
    .raw()
    .toBuffer()
}

function focusOf(seed: number) {
  const random = seededRandom('camera', seed)
  return {x: random.between(0.05, 0.95), y: random.between(0.2, 0.8)}
}

const smooth = (value: number) => {
  const share = Math.min(1, Math.max(0, value))
  return share * share * (3 - 2 * share)
}

/** The image enlarged around a point, between its pixels, over what is there. */
function drawZoomed(
  frame: Uint8Array,
  pixels: Uint8Array,
  {width, height}: Size,
  {zoom, x: focusX, y: focusY}: {zoom: number; x: number; y: number},
  opacity: number,
) {
  const strength = Math.round(opacity * 256)
  const step = 65536 / zoom
  const startX = focusX * (width - width / zoom) * 65536
  const startY = focusY * (height - height / zoom) * 65536
  for (let row = 0; row < height; row += 1) {
    const y = Math.min((height - 2) * 65536, startY + row * step)
    const top = Math.floor(y / 65536)
    const lower = (y / 256) & 255
    const upper = 256 - lower
    let to = row * width * 4
    for (let column = 0; column < width; column += 1, to += 4) {
      const x = Math.min((width - 2) * 65536, startX + column * step)
      const left = Math.floor(x / 65536)
      const right = (x / 256) & 255
      const at = (top * width + left) * 4
      const below = at + width * 4
      for (let channel = 0; channel < 3; channel += 1) {
        const above = (pixels[at + channel] as number) * (256 - right) + (pixels[at + 4 + channel] as number) * right
        const under =
          (pixels[below + channel] as number) * (256 - right) + (pixels[below + 4 + channel] as number) * right
        const value = (above * upper + under * lower) >>> 16
        const old = frame[to + channel] as number
        frame[to + channel] = old + (((value - old) * strength) >> 8)
      }
    }
  }
}
