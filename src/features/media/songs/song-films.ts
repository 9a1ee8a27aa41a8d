import type {Artifact} from '#contract/media/media-tool.ts'
import {isBusy, type Card} from '../feed/card.ts'

/** The song that a card's film is made of. Other work on a song says what it does (contract/media §2.12). */
const songOf = ({request: {audio_id: song, action}}: Card) =>
  action === undefined && typeof song === 'string' ? song : undefined

/** What a song has of its film: where it is, or that it is on its way. */
type Film = Pick<Artifact, 'videoUrl' | 'hasVideoComing'>

/** Nothing of a film that failed: it stands in a line of its own, and can be made again. */
function filmIn(card: Card): Film | undefined {
  const [artifact] = card.reading.artifacts
  if (artifact?.medium === 'video' && artifact.url !== undefined) return {videoUrl: artifact.url}
  return isBusy(card) ? {hasVideoComing: true} : undefined
}

const known = new WeakMap<Card, {films: string; card: Card}>()

/** A card whose songs have their films; the same object while nothing of either changes. */
function withFilmsOf(card: Card, films: ReadonlyMap<string, Film>): Card {
  const artifacts = card.reading.artifacts.map((artifact) => {
    const film = artifact.medium === 'audio' && artifact.videoUrl === undefined && films.get(artifact.id ?? '')
    return film ? {...artifact, ...film} : artifact
  })
  if (artifacts.every((artifact, place) => artifact === card.reading.artifacts[place])) return card
  const written = JSON.stringify(artifacts.map(({videoUrl, hasVideoComing}) => [videoUrl, hasVideoComing]))
  const before = known.get(card)
  if (before?.films === written) return before.card
  const joined = {...card, reading: {...card.reading, artifacts}}
  known.set(card, {films: written, card: joined})
  return joined
}

/**
 * The lines of a list: a film that was made of a song belongs to its line, and has none of its own where that one shows.
 * `all` are the cards there are, also those that a filter leaves out.
 */
export function joinFilms(cards: readonly Card[], all: readonly Card[]): readonly Card[] {
  const films = new Map<string, Film>()
  for (const card of all) {
    const song = songOf(card)
    const film = filmIn(card)
    // one that is there goes before one on its way
    if (song !== undefined && film !== undefined && films.get(song)?.videoUrl === undefined) films.set(song, film)
  }
  const shown = new Set(cards.flatMap(({reading}) => reading.artifacts.map(({id}) => id)))
  return cards
    .filter((card) => filmIn(card) === undefined || !shown.has(songOf(card)))
    .map((card) => withFilmsOf(card, films))
}

/** Where a task shows: a film that has no line of its own shows in that of its song. */
export function lineOf(task: string, all: readonly Card[]): string {
  const card = all.find(({id, key}) => id === task || key === task)
  const song = card && filmIn(card) && songOf(card)
  const line = song && all.find(({reading}) => reading.artifacts.some(({id}) => id === song))
  return line ? line.key : task
}
