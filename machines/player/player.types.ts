import type {Failure} from '#domain/failure.ts'

/** One song as the player needs it. Times in seconds. */
export type Track = {
  id: string
  url: string
  title: string
  /** Under the title: style or model. */
  subtitle?: string
  coverUrl?: string
  lyric?: string
  duration?: number
  /** The tool and task it came from, to jump back. */
  tool?: string
  task?: string
}

/** The state that a reload finds again: the songs, the one that was heard, and how far. */
export type KeptSongs = {queue: Track[]; index: number; position: number}

/** Both as they were remembered. */
export type PlayerInput = {volume: number | undefined; kept?: KeptSongs | undefined}

/** A song to play; `queue` is what comes before and after it (default: the song alone). */
export type Song = {track: Track; queue?: readonly Track[]}

export type PlayerEvent =
  | ({type: 'track.play'} & Song)
  | {type: 'player.toggle'}
  | {type: 'player.play'}
  | {type: 'player.pause'}
  | {type: 'player.next'}
  | {type: 'player.previous'}
  | {type: 'player.retry'}
  | {type: 'player.close'}
  /** Seconds from the start. */
  | {type: 'player.seek'; position: number}
  /** 0 to 100 (spec §3). */
  | {type: 'volume.change'; volume: number}
  | AudioFact

/** Reports of the audio element. */
export type AudioFact =
  | {type: 'audio.loaded'; duration: number}
  | {type: 'audio.started'}
  | {type: 'audio.paused'}
  | {type: 'audio.progressed'; position: number}
  | {type: 'audio.ended'}
  | {type: 'audio.failed'; failure: Failure}

export type PlayerContext = {
  queue: Track[]
  /** Position in the queue of the song that plays. */
  index: number
  position: number
  duration: number
  /** 0 to 100, default 100; remembered. */
  volume: number
  failure?: Failure
}

/** `visible`: the player bar is shown. `playing`: sound comes, or is about to. */
export type PlayerTag = 'visible' | 'playing'

/** Media keys and the lock screen ask for the same things as the player bar. */
export type MediaKey = Extract<
  PlayerEvent,
  {type: 'player.play' | 'player.pause' | 'player.next' | 'player.previous' | 'player.seek'}
>
