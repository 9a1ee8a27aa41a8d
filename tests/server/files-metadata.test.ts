import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {crc32} from 'node:zlib'
import sharp from 'sharp'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {uploadedFile} from '#contract/management.ts'
import {type TestServer, type TestUser} from './harness.ts'
import {base, createPlatform} from './platform.fixtures.ts'

let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await createPlatform()
  await server.createUser()
})
beforeEach(async () => {
  user = await server.createUser()
})
afterAll(() => server.close())

/** Stands wherever an image can tell something of the user. */
const secret = 'Secret Street 1'
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="${secret}"/></rdf:RDF></x:xmpmeta>`

/** Two colours, so that a turn shows. */
const plain = () =>
  sharp({create: {width: 48, height: 32, channels: 3, background: 'red'}}).composite([
    {input: {create: {width: 10, height: 10, channels: 3, background: 'blue'}}, left: 2, top: 2},
  ])
const telling = (orientation?: number) =>
  plain()
    .withExif({
      IFD0: {Make: secret, Artist: secret},
      IFD2: {BodySerialNumber: secret},
      IFD3: {GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1', GPSAreaInformation: secret},
    })
    .withXmp(xmp)
    .withIccProfile('srgb')
    .withMetadata({...(orientation === undefined ? {} : {orientation})})

async function upload(content: Buffer, name: string) {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(content)], name))
  const response = await server.call('POST', `${base}/files/`, {token: user.accessToken, body: form})
  return {status: response.status, body: await response.json()}
}
async function stored(content: Buffer, name: string): Promise<Buffer> {
  const {status, body} = await upload(content, name)
  expect(status, JSON.stringify(body)).toBe(201)
  const file = uploadedFile.parse(body)
  const bytes = readFileSync(join(server.deps.config.dataDir, 'files', file.id ?? ''))
  expect(file.size).toBe(bytes.length)
  const answer = await server.call('GET', new URL(file.file_url).pathname, {origin: null})
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  return bytes
}
const pixels = (bytes: Buffer) => sharp(bytes, {animated: true}).raw().toBuffer()
const tellsNothing = (bytes: Buffer) => {
  for (const form of ['latin1', 'utf16le'] as const) expect(bytes.includes(Buffer.from(secret, form))).toBe(false)
  expect(bytes.includes('http://ns.adobe.com/photoshop')).toBe(false)
}

describe('an image that tells where it was taken', () => {
  test.each([
    ['jpeg', 1],
    ['jpeg', 6],
    ['jpeg', 8],
    ['png', 1],
    ['png', 6],
    ['webp', 1],
    ['webp', 6],
    ['tiff', 1],
    ['tiff', 6],
    ['avif', 1],
  ] as const)('%s turned by %i: is kept without it, and every pixel stays', async (format, orientation) => {
    const given = await telling(orientation).toFormat(format).toBuffer()
    expect(given.includes(secret)).toBe(true)
    const kept = await stored(given, `a.${format}`)
    tellsNothing(kept)
    expect(await pixels(kept)).toEqual(await pixels(given))
    const [before, after] = [await sharp(given).metadata(), await sharp(kept).metadata()]
    expect(after.orientation ?? 1).toBe(before.orientation ?? 1)
    expect(after.icc?.equals(before.icc ?? Buffer.alloc(0))).toBe(true)
    // shown upright as before
    expect(await sharp(kept).autoOrient().raw().toBuffer()).toEqual(await sharp(given).autoOrient().raw().toBuffer())
  })

  test('a progressive JPEG with IPTC, a comment, a thumbnail’s segment and more behind its end', async () => {
    const segment = (marker: number, text: string) => {
      const head = Buffer.of(0xff, marker, 0, 0)
      head.writeUInt16BE(text.length + 2, 2)
      return Buffer.concat([head, Buffer.from(text, 'latin1')])
    }
    const image = await plain().jpeg({progressive: true}).toBuffer()
    const given = Buffer.concat([
      image.subarray(0, 2),
      segment(0xed, `Photoshop 3.0\0${secret}`),
      segment(0xfe, secret),
      segment(0xe2, `MPF\0${secret}`),
      image.subarray(2),
      Buffer.from(`${secret}\xff\xd9`, 'latin1'),
    ])
    const kept = await stored(given, 'a.jpg')
    tellsNothing(kept)
    expect(await pixels(kept)).toEqual(await pixels(image))
  })

  test('a PNG with text chunks, and a private one', async () => {
    const image = await plain().png().toBuffer()
    const chunk = (name: string, text: string) => {
      const data = Buffer.alloc(text.length + 12)
      data.writeUInt32BE(text.length)
      data.write(name + text, 4, 'latin1')
      data.writeUInt32BE(crc32(data.subarray(4, -4)), text.length + 8)
      return data
    }
    const parts = ['tEXt', 'iTXt', 'prVt'].map((name) => chunk(name, `Comment\0${secret}`))
    const given = Buffer.concat([image.subarray(0, 33), ...parts, image.subarray(33), Buffer.from(secret)])
    const kept = await stored(given, 'a.png')
    tellsNothing(kept)
    expect(kept.equals(image)).toBe(true)
  })

  test('a moving GIF keeps moving, without its comment and XMP', async () => {
    const frame = (background: string) =>
      sharp({create: {width: 8, height: 8, channels: 3, background}})
        .png()
        .toBuffer()
    const frames = await Promise.all(['red', 'green', 'blue'].map(frame))
    const image = await sharp(frames, {join: {animated: true}})
      .gif({loop: 3, delay: [100, 200, 300]})
      .toBuffer()
    const at = 13 + 3 * 2 ** (((image[10] ?? 0) & 7) + 1) * Number(((image[10] ?? 0) & 0x80) > 0)
    const blocks = (text: string) => Buffer.concat([Buffer.of(text.length), Buffer.from(text), Buffer.of(0)])
    const given = Buffer.concat([
      image.subarray(0, at),
      Buffer.of(0x21, 0xfe),
      blocks(secret),
      Buffer.of(0x21, 0xff, 11),
      Buffer.from('XMP DataXMP'),
      blocks(`City ${secret}`),
      image.subarray(at),
    ])
    const kept = await stored(given, 'a.gif')
    tellsNothing(kept)
    expect(kept.equals(image)).toBe(true)
    expect(await sharp(kept, {animated: true}).metadata()).toMatchObject({pages: 3, loop: 3, delay: [100, 200, 300]})
  })

  test('an image that cannot be taken apart is not kept as it came', async () => {
    const image = await telling().jpeg().toBuffer()
    // the first segment claims to be longer than the file
    const given = Buffer.from(image)
    given.writeUInt16BE(0xffff, 4)
    const {status, body} = await upload(given, 'a.jpg')
    expect([status, body.code]).toEqual([400, 'bad_request'])
  })

  test('an image that tells nothing stays byte for byte', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const) {
      const image = await plain().toFormat(format).toBuffer()
      expect((await stored(image, `a.${format}`)).equals(image), format).toBe(true)
    }
  })
})
