import {filter, fromEvent, map, merge, Observable} from 'rxjs'

/** A song as the player needs it. Times in seconds. */
export type AudioSong = {url: string; title: string; subtitle?: string; coverUrl?: string}

export type AudioEvent =
  | {type: 'audio.loaded'; duration: number}
  | {type: 'audio.started'}
  | {type: 'audio.paused'}
  | {type: 'audio.progressed'; position: number}
  | {type: 'audio.ended'}
  | {type: 'audio.failed'; failure: {code: string; detail: string; lost?: boolean}}
  | {type: 'player.play'}
  | {type: 'player.pause'}
  | {type: 'player.next'}
  | {type: 'player.previous'}
  | {type: 'player.seek'; position: number}

export type AudioPort = {
  /** Loads a song and starts it. */
  load(song: AudioSong, options: {volume: number; position: number}): void
  play(): void
  pause(): void
  seek(position: number): void
  /** 0 to 100. */
  setVolume(volume: number): void
  /** Stops and releases the song. */
  unload(): void
  /** Cold. Events of the element and the media keys. */
  events$: Observable<AudioEvent>
}

/** `MediaError.code` 2 is a network error; the others are faults of the file. */
const failureOf = (error: MediaError | null) => ({
  code: error?.code === 2 ? 'timeout' : 'unknown',
  detail: error?.message || 'The song cannot be played.',
  ...(error?.code === 2 ? {lost: true} : {}),
})

const keys = ['play', 'pause', 'nexttrack', 'previoustrack', 'seekto'] as const

const keyEvent = ({action, seekTime}: MediaSessionActionDetails): AudioEvent | undefined => {
  switch (action) {
    case 'play':
      return {type: 'player.play'}
    case 'pause':
      return {type: 'player.pause'}
    case 'nexttrack':
      return {type: 'player.next'}
    case 'previoustrack':
      return {type: 'player.previous'}
    case 'seekto':
      return seekTime == null ? undefined : {type: 'player.seek', position: seekTime}
    default:
      return undefined
  }
}

/** Media keys and the lock screen, if the browser supports them. */
const mediaKeys$ = (session: MediaSession | undefined): Observable<AudioEvent> =>
  new Observable((subscriber) => {
    const handle = (details: MediaSessionActionDetails) => {
      const event = keyEvent(details)
      if (event !== undefined) subscriber.next(event)
    }
    const bind = (action: (typeof keys)[number], handler: MediaSessionActionHandler | null) => {
      try {
        session?.setActionHandler(action, handler)
      } catch {
        // the browser does not support this media key
      }
    }
    for (const action of keys) bind(action, handle)
    return () => {
      for (const action of keys) bind(action, null)
    }
  })

/** The page's only audio element, and the system's media controls. The element is created with the first song. */
export const createAudio = (createElement: () => HTMLAudioElement, session: MediaSession | undefined): AudioPort => {
  let ownElement: HTMLAudioElement | undefined
  const element = () => (ownElement ??= createElement())
  const start = (audio: HTMLAudioElement) => {
    // a browser that requires a gesture rejects; the `pause` below tells the chart
    audio.play().catch((reason: unknown) => {
      if (reason instanceof DOMException && reason.name === 'NotAllowedError') audio.dispatchEvent(new Event('pause'))
    })
  }
  const showState = (state: MediaSessionPlaybackState) => {
    if (session !== undefined) session.playbackState = state
  }

  return {
    load({url, title, subtitle, coverUrl}, {volume, position}) {
      const audio = element()
      audio.volume = volume / 100
      audio.src = url
      audio.currentTime = position
      if (session !== undefined && typeof MediaMetadata !== 'undefined')
        session.metadata = new MediaMetadata({
          title,
          artist: subtitle ?? '',
          artwork: coverUrl === undefined ? [] : [{src: coverUrl}],
        })
      start(audio)
    },
    play: () => start(element()),
    pause: () => element().pause(),
    seek(position) {
      element().currentTime = position
    },
    setVolume(volume) {
      if (ownElement !== undefined) ownElement.volume = volume / 100
    },
    unload() {
      ownElement?.pause()
      ownElement?.removeAttribute('src')
      ownElement?.load()
      showState('none')
      if (session !== undefined) session.metadata = null
    },
    events$: new Observable<AudioEvent>((subscriber) => {
      const audio = element()
      const on = (name: string, event: () => AudioEvent) => fromEvent(audio, name).pipe(map(event))
      return merge(
        on('loadedmetadata', () => ({type: 'audio.loaded', duration: audio.duration})),
        on('playing', () => {
          showState('playing')
          return {type: 'audio.started'}
        }),
        // the element also pauses at its end, which is reported as the end
        fromEvent(audio, 'pause').pipe(
          filter(() => !audio.ended),
          map((): AudioEvent => {
            showState('paused')
            return {type: 'audio.paused'}
          }),
        ),
        on('timeupdate', () => ({type: 'audio.progressed', position: audio.currentTime})),
        on('ended', () => ({type: 'audio.ended'})),
        on('error', () => ({type: 'audio.failed', failure: failureOf(audio.error)})),
        mediaKeys$(session),
      ).subscribe(subscriber)
    }),
  }
}
