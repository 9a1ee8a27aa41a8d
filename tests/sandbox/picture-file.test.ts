import {expect, test} from 'vitest'
import {openPicture} from '#sandbox/media/picture-file.ts'
import {picture} from '#tests/server/files.fixtures.ts'

test('a picture that is cut off is refused in our words, without those of a library', async () => {
  const whole = await picture('png')
  await expect(openPicture(whole)).resolves.toMatchObject({size: {width: 3, height: 2}})
  await expect(openPicture(whole.subarray(0, 60))).rejects.toMatchObject({
    code: 'bad_request',
    detail: 'A source file cannot be read as a picture.',
  })
})
