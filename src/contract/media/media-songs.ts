import {artifact, numberIn, partsIn, reading, textIn} from './media-answer.ts'
import type {Artifact, StoredArtifact, AnswerReading} from './media-tool.ts'

/* Songs, lyrics and recordings of suno (contract/media §2.12). Two songs a task, playable while they are made. */

type Answer = Record<string, unknown>

/** Parts of the request that a song's answer repeats. */
type SongRequest = {
  action?: string | undefined
  model?: string
  prompt?: string
  style?: string
  title?: string
  lyric?: string
}

/** `data` of `/suno/audios`: the songs so far, else `count` unfinished ones. */
export function songsOf(results: readonly StoredArtifact[], request: SongRequest, count: number, progress: number) {
  const {action, prompt = '', style = '', title = '', lyric = ''} = request
  // a song that is split or joined keeps its own model
  const model = action === 'stems' || action === 'concat' ? undefined : request.model
  const requestFields = {title, lyric, style, prompt, model, video_url: ''}
  if (results.length === 0) return {data: Array.from({length: count}, () => ({...requestFields, state: 'running'}))}
  return {
    data: results.map((song) => ({
      ...requestFields,
      id: song.id,
      title: song.title ?? title,
      style: song.style ?? style,
      lyric: song.text ?? lyric,
      model: song.model ?? model,
      audio_url: song.url,
      ...(song.previewUrl === undefined ? {} : {image_url: song.previewUrl}),
      ...(song.durationSeconds === undefined ? {} : {duration: song.durationSeconds}),
      ...(song.madeAt === undefined ? {} : {created_at: song.madeAt}),
      state: progress < 100 ? 'running' : 'succeeded',
    })),
  }
}

/** The answer of `/suno/lyrics`; empty until the lyrics are there. */
export const lyricsOf = (results: readonly StoredArtifact[], progress: number) =>
  progress < 100
    ? {}
    : {
        data: results.map(({text, title}) => ({text: text ?? '', title: title ?? '', status: 'complete', tags: []})),
      }

/** The answer of `/suno/upload`: the prepared recording; empty until it is there. */
export const recordingOf = (audio: StoredArtifact | undefined, address: string, progress: number) =>
  audio === undefined || progress < 100
    ? {}
    : {
        data: {
          audio_id: audio.id,
          audio_url: address,
          ...(audio.title && {title: audio.title}),
          ...(audio.durationSeconds === undefined ? {} : {duration: audio.durationSeconds}),
        },
      }

const song = (item: Answer): Artifact =>
  artifact({
    medium: 'audio',
    url: textIn(item, 'audio_url'),
    id: textIn(item, 'id'),
    previewUrl: textIn(item, 'image_url'),
    videoUrl: textIn(item, 'video_url'),
    title: textIn(item, 'title'),
    text: textIn(item, 'lyric'),
    style: textIn(item, 'style'),
    model: textIn(item, 'model'),
    durationSeconds: numberIn(item, 'duration'),
  })

/** Songs, a prepared upload, lyrics, or the video of a song; each operation has its own keys. */
function thing(item: Answer, request: Answer): Artifact {
  const audioId = textIn(item, 'audio_id')
  if (audioId !== undefined) {
    const url = textIn(item, 'audio_url') ?? textIn(request, 'audio_url')
    return artifact({
      medium: 'audio',
      id: audioId,
      url,
      title: textIn(item, 'title'),
      durationSeconds: numberIn(item, 'duration'),
    })
  }
  const isSong = ['id', 'audio_url', 'lyric'].some((key) => key in item)
  const text = textIn(item, 'text')
  if (!isSong && text !== undefined) return artifact({medium: 'text', text, title: textIn(item, 'title')})
  const video = textIn(item, 'video_url')
  if (!isSong && video !== undefined) return artifact({medium: 'video', url: video})
  return song(item)
}

/** Parses any answer of suno; the lyrics' `data` was an object before it became a list (upstream §0.3). */
export function readSuno(response: Answer, request: Answer): AnswerReading {
  const {items, state} = partsIn(response)
  return reading(
    items.map((item) => thing(item, request)),
    {state, progress: numberIn(response, 'progress')},
  )
}
