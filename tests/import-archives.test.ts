import {readFileSync} from 'node:fs'
import {deflateRawSync} from 'node:zlib'
import {downloadZip} from 'client-zip'
import {describe, expect, test} from 'vitest'
import {openImportFile} from '#browser/import-file.ts'

const chatgpt = readFileSync(new URL('./fixtures/imports/chatgpt.json', import.meta.url), 'utf8')
const own = (items: object[] = []) =>
  JSON.stringify({
    format: 'atrium-conversations',
    version: 2,
    conversations: [
      {
        id: 'c-1',
        model: 'foo',
        title: 'Kites',
        messages: [{role: 'user', content: [{type: 'text', text: 'Hi'}, ...items]}],
      },
    ],
  })
const zip = (files: Record<string, string>) =>
  downloadZip(Object.entries(files).map(([name, input]) => ({name, input}))).blob()
const faultOf = (file: Blob) =>
  openImportFile(file).then(
    () => 'none',
    (error: {fault?: string}) => error.fault ?? error,
  )

describe('a file of JSON', () => {
  test('is read with progress, whatever its name', async () => {
    const shares: number[] = []
    const {preview} = await openImportFile(new File([chatgpt], 'photo.png'), (share) => shares.push(share))
    expect(preview).toEqual({
      source: 'chatgpt',
      faulty: [{title: 'Nothing said', fault: 'empty'}],
      conversations: [
        {sourceId: '6a1f0c1e-1111-4222-8333-944445555666', title: 'Kites in the wind', messages: 5, files: 0, lost: 3},
        {sourceId: '7b2f0c1e-1111-4222-8333-944445555667', title: 'الطقس', messages: 2, files: 0, lost: 0},
      ],
    })
    expect(preview.conversations[0]).toEqual({
      sourceId: '6a1f0c1e-1111-4222-8333-944445555666',
      title: 'Kites in the wind',
      messages: 5,
      files: 0,
      lost: 3,
    })
    expect(shares.at(-1)).toBe(1)
  })
  test('shows the begin of the first question for a title, in whole characters', async () => {
    const messages = [{role: 'user', content: `${'x'.repeat(79)}😀`}]
    const content = {format: 'atrium-conversations', version: 2, conversations: [{id: 'c-1', model: 'foo', messages}]}
    const {preview} = await openImportFile(new Blob([JSON.stringify(content)]))
    expect(preview.conversations[0]?.title).toBe(`${'x'.repeat(79)}…`)
  })
  test.each([
    ['text', 'foo', 'unknown'],
    ['an image', new Uint8Array([0x89, 0x50, 0x4e, 0x47]), 'unknown'],
    ['JSON that is cut off', ' [{', 'notJson'],
    ['Latin-1', new Uint8Array([0x5b, 0x22, 0xe9, 0x22, 0x5d]), 'notText'],
    ['nothing', '', 'notJson'],
    ['other JSON', '{"a":1}', 'unknown'],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x5b, 0x00]), 'notText'],
    ['an archive that is cut off', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), 'damaged'],
  ])('of %s is refused', async (_, content, fault) => expect(await faultOf(new Blob([content]))).toBe(fault))
})

describe('an archive', () => {
  test('of our export brings its attachments along; what is not in it is left out', async () => {
    const content = own([
      {type: 'image_url', image_url: 'files/kite.png'},
      {type: 'file_url', file_url: 'files/gone.pdf'},
      {type: 'file_url', file_url: '../../conversations.json'},
    ])
    const opened = await openImportFile(await zip({'conversations.json': content, 'files/kite.png': 'PNG'}))
    expect(opened.preview.conversations[0]).toEqual({files: 1, lost: 2, sourceId: 'c-1', title: 'Kites', messages: 1})
    expect(opened.files(0)).toEqual(['files/kite.png'])
    const file = await opened.file('files/kite.png')
    expect([file.name, await file.text()]).toEqual(['kite.png', 'PNG'])
    const [part] = opened.take(0, new Map([['files/kite.png', 'https://foo.test/files/1']]))
    expect(part?.messages[0]?.content).toEqual([
      {type: 'text', text: 'Hi'},
      {type: 'image_url', image_url: 'https://foo.test/files/1'},
    ])
  })
  test("of ChatGPT's whole export finds files by their ids, and joins its parts", async () => {
    const [first, ...others] = JSON.parse(chatgpt) as unknown[] // the fixture is a list
    const opened = await openImportFile(
      await zip({
        'data/user.json': '{"id":"u"}',
        'data/conversations-000.json': JSON.stringify([first]),
        'data/conversations-001.json': JSON.stringify(others),
        'data/file-AbC123-sketch.png': 'PNG',
        'data/dalle-generations/file_00000000aa11-x.webp': 'WEBP',
      }),
    )
    expect(opened.preview.conversations).toHaveLength(2)
    expect(opened.preview.conversations[0]).toEqual({
      files: 2,
      lost: 1,
      sourceId: '6a1f0c1e-1111-4222-8333-944445555666',
      title: 'Kites in the wind',
      messages: 5,
    })
    expect((await opened.file('file-AbC123')).name).toBe('sketch.png')
  })
  test('without conversations is no export', async () =>
    expect(await faultOf(await zip({'a.md': '# a', 'b.json': '{}'}))).toBe('unknown'))
  test('that unpacks to more than it says, or to more than is read, is refused', async () => {
    const bytes = deflateRawSync(Buffer.alloc(50_000_000, 0x20))
    expect(await faultOf(deflated('conversations.json', bytes, 1_000))).toBe('damaged')
    expect(await faultOf(deflated('conversations.json', bytes, 300 * 1024 * 1024))).toBe('tooLarge')
  })
  test('with a password is said to have one', async () => {
    const bytes = deflateRawSync(Buffer.from(own()))
    expect(await faultOf(deflated('conversations.json', bytes, own().length, 1))).toBe('locked')
  })
})

/** An archive of one deflated entry that claims to have so many bytes. */
function deflated(name: string, bytes: Buffer, claimed: number, flags = 0): Blob {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(flags, 2)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt32LE(bytes.length, 14)
  fields.writeUInt32LE(claimed, 18)
  fields.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), bytes])
  const head = Buffer.concat([
    Buffer.from('PK\u0001\u0002'),
    Buffer.from([20, 0]),
    fields,
    Buffer.alloc(14),
    Buffer.from(name),
  ])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(head.length, 8)
  end.writeUInt32LE(local.length, 12)
  return new Blob([local, head, Buffer.from('PK\u0005\u0006'), end])
}
