import type {Artifact} from '#contract/media/media-tool.ts'
import type {Track} from '#machines/player/player.types.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {safeUrl} from '../media-url.ts'

/** The songs of one run: they stay together (screens.md §3). */
export const songsOf = (card: Card): readonly {artifact: Artifact; index: number}[] =>
  card.reading.artifacts.flatMap((artifact, index) => (artifact.medium === 'audio' ? [{artifact, index}] : []))

/** The video of a song, or one that was made of it, as a card of its own to look at. */
export function videoOf(card: Card, index: number): Card | undefined {
  const artifact = card.reading.artifacts[index]
  if (artifact?.medium === 'video') return artifact.url === undefined ? undefined : card
  if (artifact?.videoUrl === undefined || artifact.videoUrl === '') return undefined
  const {videoUrl: url, previewUrl, title, durationSeconds} = artifact
  const video: Artifact = {
    medium: 'video',
    url,
    ...(previewUrl === undefined ? {} : {previewUrl}),
    ...(title === undefined ? {} : {title}),
    ...(durationSeconds === undefined ? {} : {durationSeconds}),
  }
  return {...card, reading: {artifacts: [video]}}
}

/** Names a song among all: tasks have two each. */
export const trackId = (card: Card, index: number) => `${card.key}/${index}`

/** The song as the player takes it; undefined while there is nothing to hear. */
export function trackOf(card: Card, artifact: Artifact, index: number, fallbackTitle: string): Track | undefined {
  const url = safeUrl(artifact.url)
  if (url === undefined) return undefined
  const cover = safeUrl(artifact.previewUrl)
  const subtitle = artifact.style ?? artifact.model
  return {
    id: trackId(card, index),
    url,
    title: artifact.title ?? (card.prompt === '' ? fallbackTitle : card.prompt),
    ...(subtitle === undefined ? {} : {subtitle}),
    ...(cover === undefined ? {} : {coverUrl: cover}),
    ...(artifact.text === undefined ? {} : {lyric: artifact.text}),
    ...(artifact.durationSeconds === undefined ? {} : {duration: artifact.durationSeconds}),
    tool: card.tool,
    ...(card.id === undefined ? {} : {task: card.id}),
  }
}

/** All songs that can be heard, in the order they are listed: what plays before and after. */
export const tracksOf = (cards: readonly Card[], fallbackTitle: string): Track[] =>
  cards.flatMap((card) =>
    songsOf(card).flatMap(({artifact, index}) => {
      const track = trackOf(card, artifact, index, fallbackTitle)
      return track === undefined ? [] : [track]
    }),
  )
