import type {UseTarget} from '#domain/use-targets.ts'
import type {Media} from './media.context.ts'
import {fileNameOf} from './save-file.ts'

/** The browser does not give out the images of a video of another site that does not allow it. */
const isForeign = (error: unknown) => error instanceof DOMException && error.name === 'SecurityError'

/** The image of a video that is on screen. */
async function takeFrame(video: HTMLVideoElement): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob === null) throw new Error('The browser made no image of the video')
  return blob
}

/** Keeps the image that a video shows as a file of the user, and goes to the target with it. Never rejects. */
export async function sendFrame(
  media: Pick<Media, 'files' | 'useIn' | 'notify'>,
  {tool, prompt, target, video}: {tool: string; prompt: string; target: UseTarget; video: HTMLVideoElement | null},
): Promise<void> {
  try {
    if (video === null) throw new Error('No video is shown')
    const blob = await takeFrame(video)
    const name = fileNameOf(tool, [prompt], '', 'frame.png', 'image')
    const value = await media.files.store(new File([blob], name, {type: blob.type}))
    media.useIn({...target, value}, {ratio: video.videoWidth / video.videoHeight})
  } catch (error) {
    media.notify({kind: 'error', textId: isForeign(error) ? 'common.mediaFrameForeign' : 'common.mediaFrameFailed'})
  }
}
