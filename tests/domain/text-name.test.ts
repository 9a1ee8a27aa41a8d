import {describe, expect, test} from 'vitest'
import {isTextName} from '#domain/text-name.ts'
import {uploadTypeOf} from '#server/files/file-types.ts'

const listedEndings =
  'jpg jpeg png gif bmp webp tiff tif ico heic heif avif svg html htm md csv json txt log tsv xml yaml toml ini js ts tsx ' +
  'py rs go java c cpp sql pdf rtf epub docx xlsx pptx doc xls ppt odt ods odp mp3 wav ogg flac aac m4a mp4 m4v mov webm'
const otherEndings = 'har jsonl liquid'
const textKinds = ['text', 'svg', 'html', 'unlisted']

describe('a file is text for the page where it is text for the server that keeps it', () => {
  test.each(`${listedEndings} ${otherEndings}`.split(' '))('.%s', (ending) => {
    expect(isTextName(`a.${ending}`)).toBe(textKinds.includes(uploadTypeOf(`a.${ending}`, ending)!.kind))
  })

  test.each(['Dockerfile', '.gitignore', 'a.PDF.txt'])('%s is text', (name) => expect(isTextName(name)).toBe(true))
  test('in capitals as well', () => expect(isTextName('SONG.MP3')).toBe(false))
})
