import type {Artifact} from '#contract/media/media-tool.ts'
import {isBusy, type Card} from '../feed/card.ts'

/** The song that a card's video is made of. Other work on a song says what it does (contract/media §2.12). */
const songOf = ({request: {audio_id: song, action}}: Card) =>
  action === undefined && typeof song === 'string' ? song : undefined

/** What a song has of its video: where it is, or that it is on its way. */
type SongVideo = Pick<Artifact, 'videoUrl' | 'hasVideoComing'>

/** Nothing of a video that failed: it stands in a line of its own, and can be made again. */
function videoIn(card: Card): SongVideo | undefined {
  const [artifact] = card.reading.artifacts
  if (artifact?.medium === 'video' && artifact.url !== undefined) return {videoUrl: artifact.url}
  return isBusy(card) ? {hasVideoComing: true} : undefined
}

const known = new WeakMap<Card, {videos: string; card: Card}>()

/** A card whose songs have their videos; the same object while nothing of either changes. */
function withVideosOf(card: Card, videos: ReadonlyMap<string, SongVideo>): Card {
  const artifacts = card.reading.artifacts.map((artifact) => {
    const video = artifact.medium === 'audio' && artifact.videoUrl === undefined && videos.get(artifact.id ?? '')
    return video ? {...artifact, ...video} : artifact
  })
  if (artifacts.every((artifact, place) => artifact === card.reading.artifacts[place])) return card
  const written = JSON.stringify(artifacts.map(({videoUrl, hasVideoComing}) => [videoUrl, hasVideoComing]))
  const before = known.get(card)
  if (before?.videos === written) return before.card
  const joined = {...card, reading: {...card.reading, artifacts}}
  known.set(card, {videos: written, card: joined})
  return joined
}

/**
 * The lines of a list: a video that was made of a song belongs to its line, and has none of its own where that one shows.
 * `all` are the cards there are, also those that a filter leaves out.
 */
export function joinVideos(cards: readonly Card[], all: readonly Card[]): readonly Card[] {
  const videos = new Map<string, SongVideo>()
  for (const card of all) {
    const song = songOf(card)
    const video = videoIn(card)
    // one that is there goes before one on its way
    if (song !== undefined && video !== undefined && videos.get(song)?.videoUrl === undefined) videos.set(song, video)
  }
  const shown = new Set(cards.flatMap(({reading}) => reading.artifacts.map(({id}) => id)))
  return cards
    .filter((card) => videoIn(card) === undefined || !shown.has(songOf(card)))
    .map((card) => withVideosOf(card, videos))
}

/** Where a task shows: a video that has no line of its own shows in that of its song. */
export function lineOf(task: string, all: readonly Card[]): string {
  const card = all.find(({id, key}) => id === task || key === task)
  const song = card && videoIn(card) && songOf(card)
  const line = song && all.find(({reading}) => reading.artifacts.some(({id}) => id === song))
  return line ? line.key : task
}
