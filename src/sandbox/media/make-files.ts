import type {MediaPlan} from '#contract/media/media-tool.ts'
import {MediaRefusal, type SandboxFile, type MediaJob, type Work} from './media-job.ts'
import {makeImages} from './images.ts'
import {kindOf, type SourceKind} from './sources.ts'

/** Makes the files of a job. Runs in the worker thread; loads heavy parts on demand. */
export async function makeFiles({plan, seed, sourceFiles}: MediaJob, work: Work): Promise<SandboxFile[]> {
  const of = (...kinds: SourceKind[]) => sourceFiles.filter((bytes) => kinds.includes(kindOf(bytes)))
  const [images, songs] = [of('image', 'unknown'), of('song')]
  const [image] = images
  switch (plan.medium) {
    case 'image': {
      if (plan.code === undefined) return makeImages(plan, {seed, sources: images, work})
      const {makeCodeImages} = await import('./code-image.ts')
      return makeCodeImages(plan, plan.code, {seed, source: image, work})
    }
    case 'video': {
      const [song] = songs
      if (plan.action === 'mp4' && song === undefined)
        throw new MediaRefusal('bad_request', 'The sandbox makes videos of songs only from MP3 files.')
      if (plan.song !== undefined || song !== undefined) {
        const {makeSongVideo} = await import('./music/song-video.ts')
        return [await makeSongVideo(plan, {seed, song, cover: image, work})]
      }
      const {makeVideos} = await import('./video/videos.ts')
      return makeVideos(plan, {seed, images, video: of('video')[0], work})
    }
    case 'audio': {
      const {makeSongs} = await import('./music/songs.ts')
      return makeSongs(plan, {seed, sources: songs, work})
    }
    case 'text':
      return makeTexts(plan, seed, image)
  }
}

async function makeTexts(plan: MediaPlan, seed: number, image: Uint8Array | undefined): Promise<SandboxFile[]> {
  if (image !== undefined) {
    const {describeImage} = await import('./describe-image.ts')
    return describeImage(image, seed)
  }
  if (plan.sources.length > 0)
    throw new MediaRefusal(
      'bad_request',
      'The sandbox describes only images that are stored here. Upload the image first.',
    )
  const {writeLyrics} = await import('./music/lyrics.ts')
  return [writeLyrics(plan, seed)]
}
