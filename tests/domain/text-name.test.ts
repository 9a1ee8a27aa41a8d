import {describe, expect, test} from 'vitest'
import {isTextName} from '#domain/text-name.ts'
import {fileTypes, uploadTypeOf} from '#server/files/file-types.ts'

const unlistedEndings = ['har', 'jsonl', 'liquid']
const textKinds = ['text', 'svg', 'html', 'unlisted']

describe('a file is text for the page where it is text for the server that keeps it', () => {
  test.each([...fileTypes.keys(), ...unlistedEndings])('.%s', (ending) => {
    expect(isTextName(`a.${ending}`)).toBe(textKinds.includes(uploadTypeOf(`a.${ending}`, ending)!.kind))
  })

  test.each(['Dockerfile', '.gitignore', 'a.PDF.txt'])('%s is text', (name) => expect(isTextName(name)).toBe(true))
  test('in capitals as well', () => expect(isTextName('SONG.MP3')).toBe(false))
})
