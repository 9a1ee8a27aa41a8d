import {choosePalette} from '../art/palette.ts'
import {openPicture} from '../picture-file.ts'
import {seededRandom} from '../random.ts'
import type {Size} from '../sizes.ts'
import type {FramePainter} from './moving-scene.ts'
import {createParticles} from './particles.ts'

type Still = {pixels: Uint8Array; width: number; height: number}

/** How far the camera goes towards a picture. */
const mostZoom = 0.14

/**
 * The person's own pictures in their order: the first is the first frame, each fades into the next, and the last, when
 * there are several, is the last frame. The camera moves in and out again.
 */
export async function createMovingPictures(
  pictures: readonly Uint8Array[],
  {prompt, seed, size, seconds}: {prompt: string; seed: number; size: Size; seconds: number},
): Promise<FramePainter> {
  const stills: Still[] = []
  for (const bytes of pictures.slice(0, 5)) {
    const {picture} = await openPicture(bytes)
    const {data, info} = await picture()
      .resize({...size, fit: 'cover'})
      .ensureAlpha()
      .raw()
      .toBuffer({resolveWithObject: true})
    stills.push({pixels: new Uint8Array(data), width: info.width, height: info.height})
  }
  const random = seededRandom('camera', seed)
  const [focusX, focusY] = [random.between(0.3, 0.7), random.between(0.3, 0.7)]
  const palette = choosePalette(prompt, random.fork('palette'))
  const particles = createParticles({palette}, size, seed)
  return (frame, time) => {
    const share = Math.min(1, time / seconds)
    const place = share * (stills.length - 1)
    const index = Math.min(Math.floor(place), Math.max(0, stills.length - 2))
    const [current, next] = [stills[index], stills[index + 1]]
    if (current === undefined) throw new Error('a video of pictures needs a picture')
    // one picture: in; several: in and back, so that the last frame is the last picture
    const zoom = 1 + mostZoom * (stills.length > 1 ? Math.sin(Math.PI * share) : Math.sin((Math.PI / 2) * share))
    drawZoomed(frame, current, zoom, focusX, focusY, 1)
    const fade = smooth((place - index - 0.25) / 0.5)
    if (next !== undefined && fade > 0) drawZoomed(frame, next, zoom, focusX, focusY, fade)
    const visible = Math.sin(Math.PI * Math.min(1, Math.max(0, share)))
    if (visible > 0.02) particles(frame, time)
  }
}

const smooth = (value: number) => {
  const share = Math.min(1, Math.max(0, value))
  return share * share * (3 - 2 * share)
}

/** The picture enlarged around a point, between its pixels, over what is there. */
function drawZoomed(
  frame: Uint8Array,
  {pixels, width, height}: Still,
  zoom: number,
  focusX: number,
  focusY: number,
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
