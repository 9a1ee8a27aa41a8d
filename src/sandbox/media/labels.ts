import {cutText} from '#domain/cut-text.ts'

/*
 * Labels in every file of the sandbox, beside its visible mark. `algorithmicMedia` is IPTC's term for a drawing by an
 * algorithm without a trained model, `algorithmicallyEnhanced` for a user's image changed by one.
 */

export const sandboxNote = 'Made by the sandbox of Atrium. No model was used.'
export const sandboxSoftware = 'Atrium sandbox'

const sourceTypes = 'http://cv.iptc.org/newscodes/digitalsourcetype/'

const escapeXml = (text: string) =>
  text
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')

export type Label = {seed: number; style?: string; isEdited?: boolean}

/** EXIF fields, as sharp writes them. ASCII only, as EXIF has it. */
export const exifOf = ({seed, style}: Label) => ({
  IFD0: {
    Software: sandboxSoftware,
    Artist: sandboxSoftware,
    ImageDescription: `${sandboxNote} Seed ${seed}${style === undefined ? '' : `, ${style}`}.`,
  },
})

export const xmpOf = (prompt: string, {seed, isEdited = false}: Label): string =>
  [
    '<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"',
    ` xmp:CreatorTool="${sandboxSoftware}" Iptc4xmpExt:DigitalSourceType="${sourceTypes}${isEdited ? 'algorithmicallyEnhanced' : 'algorithmicMedia'}">`,
    `<dc:description><rdf:Alt><rdf:li xml:lang="x-default">${sandboxNote} Seed ${seed}. ${escapeXml(cutText(prompt, 500))}</rdf:li></rdf:Alt></dc:description>`,
    '</rdf:Description></rdf:RDF></x:xmpmeta>',
    '<?xpacket end="r"?>',
  ].join('')

export type OwnLabel = {seed: number; prompt: string; isEdited: boolean}

/** The label of one of our own images. */
export function readXmp(xmp: string): OwnLabel | undefined {
  const [, words] = /<rdf:li xml:lang="x-default">([^<]*)<\/rdf:li>/.exec(xmp) ?? []
  if (!words?.startsWith(`${sandboxNote} Seed `)) return undefined
  const [, seed = '', prompt = ''] = /^Seed (\d+)\. ?([\s\S]*)$/.exec(words.slice(sandboxNote.length + 1)) ?? []
  return {
    seed: Number(seed),
    prompt: prompt.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
    isEdited: xmp.includes('algorithmicallyEnhanced'),
  }
}
