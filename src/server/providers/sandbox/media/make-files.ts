import type {MediaPlan} from '#contract/media/media-tool.ts'
import {drawGrid} from './grid.ts'
import {MediaRefusal, type MadeFile, type MediaJob, type Work} from './media-job.ts'
import {makePictures} from './pictures.ts'
import {kindOf} from './sources.ts'

/** Makes what a job asks for. Runs in the worker thread; heavy parts are loaded when first needed. */
export async function makeFiles(job: MediaJob, work: Work): Promise<MadeFile[]> {
  if (job.kind === 'grid') return [await drawGrid(job.pictures)]
  const {plan, seed, edit, videoCodec} = job
  const sources = sourcesOf(job.sourceFiles)
  switch (plan.medium) {
    case 'image':
      if (plan.code !== undefined) {
        const {makeCodePictures} = await import('./code-picture.ts')
        return makeCodePictures(plan, plan.code, {seed, source: sources.pictures[0], work})
      }
      return makePictures(plan, {seed, sources: sources.pictures, edit, work})
    case 'video': {
      if (plan.action === 'mp4' && sources.songs[0] === undefined)
        throw new MediaRefusal('bad_request', 'The sandbox makes videos of songs only from MP3 files.')
      if (plan.song !== undefined || sources.songs.length > 0) {
        const {makeSongVideo} = await import('./music/song-video.ts')
        return [await makeSongVideo(plan, {seed, song: sources.songs[0], cover: sources.pictures[0], work})]
      }
      const {makeVideos} = await import('./video/videos.ts')
      return makeVideos(plan, {seed, pictures: sources.pictures, video: sources.videos[0], codec: videoCodec, work})
    }
    case 'audio': {
      const {makeSongs} = await import('./music/songs.ts')
      return makeSongs(plan, {seed, sources: sources.songs, work})
    }
    case 'text':
      return makeTexts(plan, seed, sources.pictures[0])
  }
}

function sourcesOf(files: readonly Uint8Array[]) {
  const pictures = files.filter((bytes) => ['picture', 'unknown'].includes(kindOf(bytes)))
  return {
    pictures,
    songs: files.filter((bytes) => kindOf(bytes) === 'song'),
    videos: files.filter((bytes) => kindOf(bytes) === 'video'),
  }
}

async function makeTexts(plan: MediaPlan, seed: number, picture: Uint8Array | undefined): Promise<MadeFile[]> {
  if (picture !== undefined) {
    const {describePicture} = await import('./describe-picture.ts')
    return describePicture(picture, seed)
  }
  if (plan.sources.length > 0) {
    throw new MediaRefusal(
      'bad_request',
      'The sandbox describes only pictures that are stored here. Upload the picture first.',
    )
  }
  const {writeLyrics} = await import('./music/lyrics.ts')
  return [writeLyrics(plan, seed)]
}
