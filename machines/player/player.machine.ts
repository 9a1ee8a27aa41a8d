import {assign, raise, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {isSameData} from '#domain/same-data.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {streamPort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'
import type {AudioFact, MediaKey, PlayerContext, PlayerEvent, PlayerInput, PlayerTag, Track} from './player.types.ts'

/** Back within the first seconds goes to the song before; later it starts this one again. */
const restartAfter = 3

const bounded = (value: number, most: number) => Math.max(0, Math.min(most, Number.isFinite(value) ? value : 0))

const playerSetup = setup({
  types: {
    input: {} as PlayerInput,
    context: {} as PlayerContext,
    events: {} as PlayerEvent,
    tags: {} as PlayerTag,
  },
  actors: {
    /** The one audio element of the page, and the media keys. */
    audio: streamPort<AudioFact | MediaKey>('audio'),
  },
  delays: {loadDeadline: 30_000},
  guards: {
    isCurrent: ({context}, {track}: {track: Track}) => isSameData(context.queue[context.index], track),
    hasNext: ({context}) => context.index < context.queue.length - 1,
    hasSongs: ({context}) => context.queue.length > 0,
    goesBack: ({context}) => context.index > 0 && context.position <= restartAfter,
  },
  actions: {
    storeQueue: assign((_, {track, queue = [track]}: {track: Track; queue?: readonly Track[]}) => {
      const index = queue.findIndex(({id}) => id === track.id)
      const songs = index < 0 ? [track] : [...queue]
      return {
        queue: songs,
        index: Math.max(0, index),
        position: 0,
        duration: track.duration ?? 0,
        failure: undefined,
      }
    }),
    step: assign(({context}, {by}: {by: 1 | -1}) => {
      const index = bounded(context.index + by, context.queue.length - 1)
      return {index, position: 0, duration: context.queue[index]?.duration ?? 0, failure: undefined}
    }),
    storeDuration: assign(({context}, {duration}: {duration: number}) => ({
      duration: Number.isFinite(duration) && duration > 0 ? duration : context.duration,
    })),
    storePosition: assign(({context}, {position}: {position: number}) => ({
      position: bounded(position, context.duration > 0 ? context.duration : position),
    })),
    storeVolume: assign((_, {volume}: {volume: number}) => ({volume: Math.round(bounded(volume, 100))})),
    storeFailure: assign((_, {failure}: {failure: Failure}) => ({failure})),
    clearFailure: assign({failure: undefined}),
    clearQueue: assign({queue: [], index: 0, position: 0, duration: 0, failure: undefined}),
    /** Port: takes a song and begins to play it, also for the lock screen. */
    loadTrack: (_, _song: {track: Track | undefined; volume: number; position: number}) => unfilledAction('loadTrack'),
    playAudio: () => unfilledAction('playAudio'),
    pauseAudio: () => unfilledAction('pauseAudio'),
    seekAudio: (_, _to: {position: number}) => unfilledAction('seekAudio'),
    /** Port: 0 to 100. */
    setVolume: (_, _level: {volume: number}) => unfilledAction('setVolume'),
    /** Port: silence; the song is let go. */
    unloadAudio: () => unfilledAction('unloadAudio'),
  },
})

/** A song is taken: what the buttons and the media keys do with it. */
const open = playerSetup.createStateConfig({
  tags: ['visible'],
  invoke: {
    id: 'audio',
    src: 'audio',
    onDone: {target: 'none', actions: ['clearQueue']},
    onError: {
      target: '.failed',
      actions: [{type: 'storeFailure', params: ({event}) => ({failure: toFailure(event.error)})}],
    },
  },
  initial: 'loading',
  exit: ['unloadAudio'],
  on: {
    'track.play': [
      {guard: {type: 'isCurrent', params: ({event}) => event}, actions: [raise({type: 'player.play'})]},
      {target: '.loading', actions: [{type: 'storeQueue', params: ({event}) => event}]},
    ],
    'player.next': {guard: 'hasNext', target: '.loading', actions: [{type: 'step', params: {by: 1}}]},
    'player.previous': [
      {guard: 'goesBack', target: '.loading', actions: [{type: 'step', params: {by: -1}}]},
      {
        actions: [
          {type: 'storePosition', params: {position: 0}},
          {type: 'seekAudio', params: {position: 0}},
        ],
      },
    ],
    'player.seek': {
      actions: [
        {type: 'storePosition', params: ({event}) => event},
        {type: 'seekAudio', params: ({event}) => event},
      ],
    },
    'player.close': {target: 'none', actions: ['clearQueue']},
    'audio.loaded': {actions: [{type: 'storeDuration', params: ({event}) => event}]},
    'audio.progressed': {actions: [{type: 'storePosition', params: ({event}) => event}]},
    'audio.failed': {target: '.failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
  },
  states: {
    loading: {
      tags: ['playing'],
      entry: [
        {
          type: 'loadTrack',
          params: ({context: {queue, index, volume, position}}) => ({track: queue[index], volume, position}),
        },
      ],
      after: {
        loadDeadline: {
          target: 'failed',
          actions: [{type: 'storeFailure', params: () => ({failure: toFailure(timeout.error)})}],
        },
      },
      on: {
        'audio.started': {target: 'playing'},
        // the browser wants a gesture first: the song waits
        'audio.paused': {target: 'paused'},
        'player.pause': {target: 'paused', actions: ['pauseAudio']},
        'player.toggle': {target: 'paused', actions: ['pauseAudio']},
      },
    },
    playing: {
      tags: ['playing'],
      on: {
        'audio.paused': {target: 'paused'},
        'audio.ended': [
          {guard: 'hasNext', target: 'loading', actions: [{type: 'step', params: {by: 1}}]},
          {target: 'paused', actions: [{type: 'storePosition', params: {position: 0}}]},
        ],
        'player.pause': {target: 'paused', actions: ['pauseAudio']},
        'player.toggle': {target: 'paused', actions: ['pauseAudio']},
      },
    },
    kept: {
      // paused since before the page was loaded: not a byte of the song is here until it is wanted
      on: {
        'player.play': {target: 'loading'},
        'player.toggle': {target: 'loading'},
      },
    },
    paused: {
      on: {
        'audio.started': {target: 'playing'},
        'player.play': {target: 'playing', actions: ['playAudio']},
        'player.toggle': {target: 'playing', actions: ['playAudio']},
      },
    },
    failed: {
      on: {
        'player.retry': {target: 'loading', actions: ['clearFailure']},
        'player.play': {target: 'loading', actions: ['clearFailure']},
        'player.toggle': {target: 'loading', actions: ['clearFailure']},
      },
    },
  },
})

/**
 * The song that plays while the user walks through the app (contract/media §2.12): queue, position in it, volume 0 to
 * 100. Owned by `session`; signing out ends the sound. Times in seconds, delays in milliseconds.
 */
export const playerMachine = playerSetup.createMachine({
  id: 'player',
  context: ({input: {volume, kept}}) => ({
    queue: kept?.queue ?? [],
    index: kept?.index ?? 0,
    position: kept?.position ?? 0,
    duration: kept?.queue[kept.index]?.duration ?? 0,
    volume: Math.round(bounded(volume ?? 100, 100)),
  }),
  initial: 'none',
  on: {
    'volume.change': {
      actions: [
        {type: 'storeVolume', params: ({event}) => event},
        {type: 'setVolume', params: ({context}) => ({volume: context.volume})},
      ],
    },
  },
  states: {
    none: {
      always: {guard: 'hasSongs', target: 'open.kept'},
      on: {'track.play': {target: 'open', actions: [{type: 'storeQueue', params: ({event}) => event}]}},
    },
    open,
  },
})

export type PlayerActor = ActorRefFrom<typeof playerMachine>
export type PlayerSnapshot = SnapshotFrom<typeof playerMachine>
