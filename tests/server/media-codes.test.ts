import QRCode from 'qrcode'
import sharp from 'sharp'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {tool as qrart} from '#contract/media/qrart.ts'
import {plainLook} from '#tests/contract/media/plain-look.ts'
import {balanceOf, createAsker, type Asker} from './ai.harness.ts'
import {createMediaServer, createScriptedMedia, post, tasksOf, upload, type MediaServer} from './media.harness.ts'
import {pixel} from './pixel.ts'
import {first, make} from '#tests/sandbox/media.harness.ts'
import {long} from '../long.ts'

/* An image that is to be read as a code must have one, before anything is held. */

const media = createScriptedMedia()
let on: MediaServer
beforeAll(async () => {
  on = await createMediaServer({tools: [qrart], provider: media.provider})
})
afterAll(() => on.close())

const path = '/qrart/generate'

/** A user with an uploaded image. */
async function withImage(bytes: Uint8Array, name: string): Promise<{asker: Asker; address: string}> {
  const user = await on.server.createUser()
  return {
    asker: await createAsker(on, '10', user),
    address: await upload(on, user.accessToken, bytes, name),
  }
}

const codeOf = (content: string, width = 300) => QRCode.toBuffer(content, {width})
const sceneOf = async (width: number, height: number) =>
  (await make({prompt: 'lemon grove', aspectRatio: [width, height]}, {seed: 3}).then(first)).file

/** The code lies in a large scene, as a phone takes it. */
const photo = async () =>
  sharp(await sceneOf(4, 3))
    .resize(4000, 3000, {fit: 'fill'})
    .composite([{input: await codeOf('https://shop.example', 900), left: 1700, top: 1100}])
    .jpeg()
    .toBuffer()

const artOf = async () =>
  first(
    await make(
      {
        prompt: 'lemon grove',
        code: {content: 'https://shop.example', correction: 'H', strength: 2, look: plainLook},
      },
      {seed: 5},
    ),
  ).file

describe('an image with a code', () => {
  const isTaken = async (_: string, name: string, bytes: () => Promise<Uint8Array>) => {
    const {asker, address} = await withImage(await bytes(), name)
    expect((await post(on, asker, path, {content_image_url: address, async: true})).body.error).toBeUndefined()
    expect(await tasksOf(on, asker.userId)).toHaveLength(1)
  }
  test.each([
    ['plain', 'plain.png', () => codeOf('https://shop.example')],
    ['in a photo', 'photo.jpg', photo],
  ])('is taken: %s', isTaken)
  test.each([
    ['of many modules', 'full.png', () => codeOf('x0'.repeat(700), 900)],
    [
      'light on dark',
      'dark.png',
      async () =>
        sharp(await codeOf('foo'))
          .negate({alpha: false})
          .png()
          .toBuffer(),
    ],
    ['made by QR Art', 'art.png', artOf],
  ])('is taken: %s', long, isTaken)
})

describe('an image without a code', () => {
  const isRefused = async (_: string, name: string, bytes: () => Promise<Uint8Array>) => {
    const {asker, address} = await withImage(await bytes(), name)
    const {remaining} = await balanceOf(on, asker)
    const {status, body} = await post(on, asker, path, {content_image_url: address})
    expect([status, body.error]).toEqual([
      400,
      {code: 'no_code', message: 'No QR code can be read in this image.', field: 'content_image_url'},
    ])
    expect([await tasksOf(on, asker.userId), (await balanceOf(on, asker)).remaining]).toEqual([[], remaining])
  }
  const refusal = 'is refused by its field, and nothing is held: %s'
  test.each([['a scene', 'scene.webp', () => sceneOf(1, 1)]])(refusal, isRefused)
  test.each([
    ['one pixel', 'pixel.png', () => Promise.resolve(pixel)],
    [
      'half a code',
      'half.png',
      async () =>
        sharp(await codeOf('https://shop.example'))
          .extract({left: 0, top: 0, width: 300, height: 150})
          .png()
          .toBuffer(),
    ],
  ])(refusal, long, isRefused)
})
