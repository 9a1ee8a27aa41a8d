import {weakMapMemoize} from 'reselect'
import type {Artifact} from '#contract/media/media-tool.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {isBusy} from '../feed/filter-cards.ts'

/** The song that a card's video is made of. Other work on a song says what it does (contract/media §2.12). */
const songOf = ({request: {audio_id: song, action}}: Card) =>
  action === undefined && typeof song === 'string' ? song : undefined

/** The video of a song: where it is, or that it is on its way. */
type SongVideo = Pick<Artifact, 'videoUrl' | 'hasVideoComing'>

const coming: SongVideo = {hasVideoComing: true}

/** Nothing of a video that failed: it stands in a line of its own, and can be made again. */
const videoIn = weakMapMemoize((card: Card): SongVideo | undefined => {
  const [artifact] = card.reading.artifacts
  if (artifact?.medium === 'video' && artifact.url !== undefined) return {videoUrl: artifact.url}
  return isBusy(card) ? coming : undefined
})

/** A card with these videos, one for each artifact; the same object while nothing of them changes. */
const withVideos = weakMapMemoize((card: Card, ...videos: (SongVideo | undefined)[]): Card => {
  const artifacts = card.reading.artifacts.map((artifact, position) => ({...artifact, ...videos[position]}))
  return {...card, reading: {...card.reading, artifacts}}
})

/** A card whose songs have their videos. */
function withVideosOf(card: Card, videos: ReadonlyMap<string, SongVideo>): Card {
  const own = card.reading.artifacts.map(({medium, videoUrl, id = ''}) =>
    medium === 'audio' && videoUrl === undefined ? videos.get(id) : undefined,
  )
  return own.every((video) => video === undefined) ? card : withVideos(card, ...own)
}

/**
 * The lines of a list: a video that was made of a song belongs to its line, and has none of its own where that one
 * shows. `all` are the cards there are, also those that a filter leaves out.
 */
export function joinVideos(cards: readonly Card[], all: readonly Card[]): readonly Card[] {
  const videos = new Map<string, SongVideo>()
  for (const card of all) {
    const song = songOf(card)
    const video = videoIn(card)
    // one that is there goes before one on its way
    if (song !== undefined && video !== undefined && videos.get(song)?.videoUrl === undefined) videos.set(song, video)
  }
  const shownIds = new Set(cards.flatMap(({reading}) => reading.artifacts.map(({id}) => id)))
  return cards
    .filter((card) => videoIn(card) === undefined || !shownIds.has(songOf(card)))
    .map((card) => withVideosOf(card, videos))
}

/** The task whose line shows this one: a video that has no line of its own shows in that of its song. */
export function lineOf(task: string, all: readonly Card[]): string {
  const card = all.find(({id, key}) => id === task || key === task)
  const song = card && videoIn(card) && songOf(card)
  const line = song && all.find(({reading}) => reading.artifacts.some(({id}) => id === song))
  return line ? line.key : task
}
