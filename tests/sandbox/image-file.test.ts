import {expect, test} from 'vitest'
import {MediaRefusal} from '#sandbox/media/media-job.ts'
import {openImage} from '#sandbox/media/image-file.ts'
import {sampleImage} from '#tests/server/files.fixtures.ts'

test('an image that is cut off is refused in our words, without those of a library', async () => {
  const whole = await sampleImage('png')
  await expect(openImage(whole)).resolves.toEqual({size: {width: 3, height: 2}, image: expect.any(Function)})
  await expect(openImage(whole.subarray(0, 60))).rejects.toEqual(
    new MediaRefusal('bad_request', 'A source file cannot be read as an image.'),
  )
})
