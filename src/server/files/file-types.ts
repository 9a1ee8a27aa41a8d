/**
 * How a kind of file is checked and served. Images other than SVG are measured; text is checked to be UTF-8. `unlisted`
 * is text as well, under a name that does not promise it.
 */
export type FileKind = 'image' | 'svg' | 'text' | 'html' | 'document' | 'audio' | 'video' | 'unlisted'

export type FileType = {
  kind: FileKind
  /** Sent as `Content-Type` and told to models. */
  type: string
  /** The types that the magic bytes may say; empty for text, which has none. */
  detected: readonly string[]
}

const image = (type: string, ...others: string[]): FileType => ({kind: 'image', type, detected: [type, ...others]})
const document = (type: string, ...others: string[]): FileType => ({
  kind: 'document',
  type,
  detected: [type, ...others],
})
const audio = (type: string, ...detectedTypes: string[]): FileType => ({kind: 'audio', type, detected: detectedTypes})
const video = (type: string, ...others: string[]): FileType => ({kind: 'video', type, detected: [type, ...others]})
const text = (type = 'text/plain'): FileType => ({kind: 'text', type, detected: []})

const office = 'application/vnd.openxmlformats-officedocument'
const jpeg = image('image/jpeg')
const tiff = image('image/tiff')
const heic = image('image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence')
const html: FileType = {kind: 'html', type: 'text/html', detected: []}

/** Program text and other plain text: all of it is served as text/plain, so that no browser runs it. */
const plainExtensions =
  'txt log tsv xml yaml yml toml ini conf env diff patch tex srt vtt css js mjs cjs ts tsx jsx vue svelte py ipynb rb go rs java kt ' +
  'scala c h cc cpp hpp cs php sh bash ps1 bat sql swift r lua pl dart ex exs erl hs clj proto graphql'

/** The allow-list of uploads by extension (security R29; images: spec §5). Any other is `unlisted` or refused. */
export const fileTypes: ReadonlyMap<string, FileType> = new Map([
  ['jpg', jpeg],
  ['jpeg', jpeg],
  ['png', image('image/png', 'image/apng')],
  ['gif', image('image/gif')],
  ['bmp', image('image/bmp')],
  ['webp', image('image/webp')],
  ['tiff', tiff],
  ['tif', tiff],
  ['ico', image('image/x-icon')],
  ['heic', heic],
  ['heif', heic],
  ['avif', image('image/avif')],
  ['svg', {kind: 'svg', type: 'image/svg+xml', detected: []}],
  ['html', html],
  ['htm', html],
  ['md', text('text/markdown')],
  ['csv', text('text/csv')],
  ['json', text('application/json')],
  ...plainExtensions.split(' ').map((extension): [string, FileType] => [extension, text()]),
  ['pdf', document('application/pdf')],
  ['rtf', document('application/rtf')],
  ['epub', document('application/epub+zip')],
  ['docx', document(`${office}.wordprocessingml.document`)],
  ['xlsx', document(`${office}.spreadsheetml.sheet`)],
  ['pptx', document(`${office}.presentationml.presentation`)],
  ['doc', document('application/msword', 'application/x-cfb')],
  ['xls', document('application/vnd.ms-excel', 'application/x-cfb')],
  ['ppt', document('application/vnd.ms-powerpoint', 'application/x-cfb')],
  ['odt', document('application/vnd.oasis.opendocument.text')],
  ['ods', document('application/vnd.oasis.opendocument.spreadsheet')],
  ['odp', document('application/vnd.oasis.opendocument.presentation')],
  ['mp3', audio('audio/mpeg', 'audio/mpeg')],
  ['wav', audio('audio/wav', 'audio/wav')],
  ['ogg', audio('audio/ogg', 'audio/ogg', 'audio/ogg; codecs=opus', 'application/ogg')],
  ['flac', audio('audio/flac', 'audio/flac')],
  ['aac', audio('audio/aac', 'audio/aac')],
  ['m4a', audio('audio/mp4', 'audio/x-m4a', 'audio/mp4', 'video/mp4')],
  ['mp4', video('video/mp4', 'video/x-m4v')],
  ['m4v', video('video/mp4', 'video/x-m4v')],
  ['mov', video('video/quicktime')],
  ['webm', video('video/webm')],
])

const unlistedType: FileType = {kind: 'unlisted', type: 'text/plain', detected: []}

/**
 * Endings that stay refused although their content may be text: what a browser reads as a page or runs, and what a
 * system runs, installs or follows when the saved file is opened. The type in our answer does not travel with the file.
 */
const refusedEndings = new Set(
  (
    'xhtml xht xhtm shtml shtm stm mht mhtml svgz xsl xslt htc swf webarchive maff ' +
    'exe com scr pif cpl msi msp mst dll sys drv ocx cmd vbs vbe jse wsf wsh wsc sct hta msc chm hlp inf reg lnk url ' +
    'website webloc inetloc fileloc desktop scf gadget theme rdp application appinstaller xbap jar jnlp class apk ipa ' +
    'app dmg pkg mpkg deb rpm appimage run command workflow terminal scpt mobileconfig crx xpi iqy oqy dqy rqy slk xll'
  ).split(' '),
)

/**
 * The type of an upload by its name (docs/decisions/0143): listed, or `unlisted` if the name says nothing that is
 * refused; `undefined` if it does. The content has to agree (`inspectFile`).
 */
export function uploadTypeOf(name: string, extension: string): FileType | undefined {
  const listedType = fileTypes.get(extension)
  if (listedType !== undefined) return listedType
  // all after the last dot: an extension of `extensionOf` is short and alphanumeric, what a system runs need not be
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const isRefused = name.includes('.') && (refusedEndings.has(ending) || ending.endsWith('-ms'))
  return isRefused ? undefined : unlistedType
}

const inlineTypes = /^(image\/(?!svg)|audio\/|video\/|text\/plain$)/

/** Images, sound, video and plain text may open in a tab; all else is saved (security R29: SVG and HTML always). */
export const opensInline = (type: string): boolean => inlineTypes.test(type)
