import {paint} from '../art/scenes.ts'
import type {Size} from '../sizes.ts'
import {createParticles} from './particles.ts'
import {lay, overhang, sheetsOf, type MovingSheet} from './sheets.ts'

/** Draws the frame of a moment, in seconds, into RGBA. */
export type FramePainter = (frame: Uint8Array, time: number) => void

/** The camera goes there and back in that many seconds. */
const panSeconds = 20

/** A drawn scene whose layers pass each other as if the camera moved, with something in the air, which has its own seed. */
export async function createMovingScene(
  prompt: string,
  seed: number,
  size: Size,
  airSeed = seed,
): Promise<{style: string; draw: FramePainter}> {
  const large = {width: Math.ceil(size.width * overhang) + 2, height: Math.ceil(size.height * overhang)}
  const painting = paint(prompt, seed, large)
  const sheets = await sheetsOf(painting, large)
  const particles = createParticles(painting, size, airSeed)
  const direction = seed % 2 === 0 ? 1 : -1
  return {
    style: painting.style,
    draw: (frame, time) => {
      for (const sheet of sheets) place(frame, size, sheet, time, direction)
      particles(frame, time)
    },
  }
}

function place(frame: Uint8Array, size: Size, sheet: MovingSheet, time: number, direction: number) {
  const room = (sheet.width - size.width - 2) / 2
  const x = room * (1 + direction * sheet.depth * Math.sin((2 * Math.PI * time) / panSeconds))
  const down = (sheet.height - size.height) / 2
  const bob = sheet.motion === 'bob' ? Math.sin(time * 2) * size.height * 0.01 : 0
  const opacity = sheet.motion === 'twinkle' ? 0.76 + 0.24 * Math.cos(time * 2.6) : 1
  lay(frame, size, sheet, Math.max(0, x), Math.round(down + bob), opacity)
}
