import {Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, SimulatedClock} from 'xstate'
import {playerMachine} from '#machines/player/player.machine.ts'
import {selectHasFailed, selectIsPlaying, selectKept, selectTrack} from '#machines/player/player.selectors.ts'
import type {AudioFact, KeptSongs, MediaKey, PlayerEvent, Track} from '#machines/player/player.types.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const track = (id: string): Track => ({id, url: `/${id}.mp3`, title: id})
const queue = [track('a'), track('b')]
const failure = {code: 'unknown', detail: 'foo'}

const events = {
  'track.play': [
    {type: 'track.play', track: track('a'), queue},
    {type: 'track.play', track: track('b'), queue},
    {type: 'track.play', track: track('c')},
  ],
  'player.toggle': [{type: 'player.toggle'}],
  'player.play': [{type: 'player.play'}],
  'player.pause': [{type: 'player.pause'}],
  'player.next': [{type: 'player.next'}],
  'player.previous': [{type: 'player.previous'}],
  'player.retry': [{type: 'player.retry'}],
  'player.close': [{type: 'player.close'}],
  'player.seek': [{type: 'player.seek', position: 5}],
  'volume.change': [{type: 'volume.change', volume: 30}],
  'audio.loaded': [{type: 'audio.loaded', duration: 60}],
  'audio.started': [{type: 'audio.started'}],
  'audio.paused': [{type: 'audio.paused'}],
  'audio.progressed': [{type: 'audio.progressed', position: 5}],
  'audio.ended': [{type: 'audio.ended'}],
  'audio.failed': [{type: 'audio.failed', failure}],
} satisfies EventFixtures<PlayerEvent>

describe('player', () => {
  const {states, coverage} = describeRules(playerMachine, {
    user: [
      'track.play',
      'player.toggle',
      'player.play',
      'player.pause',
      'player.next',
      'player.previous',
      'player.retry',
      'player.close',
      'player.seek',
      'volume.change',
    ],
    input: {volume: undefined},
    inputs: [{volume: 40, kept: {queue, index: 1, position: 7}}],
    events: Object.values(events).flat(),
    outputs: {audio: [undefined]},
    endless: ['audio'],
    key: ({context: {queue: songs, index, position, volume}}) => [songs.length, index, position, volume],
  })
  test('every transition is taken', () => expect(coverage.missing(playerMachine)).toEqual([]))
  test('the bar shows exactly while there is a song', () => {
    expect(states.filter((state) => state.hasTag('visible') !== state.context.queue.length > 0)).toEqual([])
  })
})

function start(volume?: number, kept?: KeptSongs) {
  const calls: string[] = []
  let audio = new Subject<AudioFact | MediaKey>()
  const machine = playerMachine.provide({
    actors: {
      audio: fromEventObservable<AudioFact | MediaKey, undefined>(() => {
        audio = new Subject()
        return audio
      }),
    },
    actions: {
      loadTrack: (_, song) => void calls.push(`load ${song.track?.id} at ${song.position} with ${song.volume}`),
      playAudio: () => void calls.push('play'),
      pauseAudio: () => void calls.push('pause'),
      seekAudio: (_, {position}) => void calls.push(`seek ${position}`),
      setVolume: (_, level) => void calls.push(`volume ${level.volume}`),
      unloadAudio: () => void calls.push('unload'),
    },
  })
  const clock = new SimulatedClock()
  const player = createActor(machine, {clock, input: {volume, kept}}).start()
  return {player, clock, calls, report: (fact: AudioFact) => audio.next(fact), snapshot: () => player.getSnapshot()}
}

describe('player journeys', () => {
  test('plays a song, then the next of its queue, then rests at the last', () => {
    const {player, calls, report, snapshot} = start()
    player.send({type: 'track.play', track: track('a'), queue})
    report({type: 'audio.loaded', duration: 60})
    report({type: 'audio.started'})
    report({type: 'audio.ended'})
    expect(selectTrack(snapshot())?.id).toBe('b')
    report({type: 'audio.started'})
    report({type: 'audio.ended'})
    expect([selectIsPlaying(snapshot()), selectTrack(snapshot())?.id]).toEqual([false, 'b'])
    expect(calls).toEqual(['load a at 0 with 100', 'load b at 0 with 100'])
  })

  test('the volume is 100 by default, bounded, remembered, and kept from song to song', () => {
    const {player, calls, snapshot} = start()
    player.send({type: 'volume.change', volume: 130})
    expect(snapshot().context.volume).toBe(100)
    player.send({type: 'volume.change', volume: 30})
    player.send({type: 'track.play', track: track('a')})
    expect(calls).toEqual(['volume 100', 'volume 30', 'load a at 0 with 30'])
    expect(start(45).snapshot().context.volume).toBe(45)
  })

  test('after a reload the song waits where it was, and is loaded when it is wanted', () => {
    const {player, calls, report, snapshot} = start(40, {
      queue: [track('a'), {...track('b'), duration: 60}],
      index: 1,
      position: 7,
    })
    expect([snapshot().value, selectIsPlaying(snapshot()), selectTrack(snapshot())?.id]).toEqual([
      {open: 'kept'},
      false,
      'b',
    ])
    expect([snapshot().context.duration, calls]).toEqual([60, []])
    player.send({type: 'player.seek', position: 9})
    player.send({type: 'player.toggle'})
    report({type: 'audio.started'})
    expect([calls, selectIsPlaying(snapshot())]).toEqual([['seek 9', 'load b at 9 with 40'], true])
    player.send({type: 'player.close'})
    expect([snapshot().value, selectKept(snapshot())]).toEqual(['none', undefined])
  })

  test('what is kept of a long queue are the songs around the one that is heard, words of that one alone', () => {
    const {player, snapshot, report} = start()
    const long = Array.from({length: 50}, (_, index) => ({...track(`t${index}`), lyric: 'la'}))
    const heard = long[30]
    if (heard === undefined) throw new Error('no song')
    player.send({type: 'track.play', track: heard, queue: long})
    report({type: 'audio.progressed', position: 12})
    const kept = selectKept(snapshot())
    expect([kept?.queue.length, kept?.queue[kept.index], kept?.position]).toEqual([20, heard, 12])
    expect(kept?.queue.filter(({lyric}) => lyric !== undefined)).toEqual([heard])
    expect(start(undefined, kept).snapshot().context.queue).toEqual(kept?.queue)
  })

  test('the song that plays already is not loaded again', () => {
    const {player, calls, report, snapshot} = start()
    player.send({type: 'track.play', track: track('a')})
    report({type: 'audio.started'})
    player.send({type: 'player.pause'})
    player.send({type: 'track.play', track: track('a')})
    expect([calls, selectIsPlaying(snapshot())]).toEqual([['load a at 0 with 100', 'pause', 'play'], true])
  })

  test('a browser that wants a gesture first leaves the song waiting', () => {
    const {player, report, snapshot} = start()
    player.send({type: 'track.play', track: track('a')})
    report({type: 'audio.paused'})
    expect([selectIsPlaying(snapshot()), selectTrack(snapshot())?.id]).toEqual([false, 'a'])
  })

  test('a song that cannot be played can be tried again or passed over', () => {
    const {player, clock, report, snapshot} = start()
    player.send({type: 'track.play', track: track('a'), queue})
    clock.increment(30_000)
    expect([selectHasFailed(snapshot()), snapshot().context.failure?.code]).toEqual([true, 'timeout'])
    player.send({type: 'player.retry'})
    report({type: 'audio.failed', failure})
    expect(selectHasFailed(snapshot())).toBe(true)
    player.send({type: 'player.next'})
    expect([selectHasFailed(snapshot()), selectTrack(snapshot())?.id]).toEqual([false, 'b'])
  })

  test('back starts the song again, or goes to the one before within the first seconds', () => {
    const {player, calls, report} = start()
    player.send({type: 'track.play', track: track('b'), queue})
    report({type: 'audio.loaded', duration: 60})
    report({type: 'audio.started'})
    report({type: 'audio.progressed', position: 20})
    player.send({type: 'player.previous'})
    expect(calls.at(-1)).toBe('seek 0')
    player.send({type: 'player.previous'})
    expect(calls.at(-1)).toBe('load a at 0 with 100')
  })

  test('closing and the end of the session silence it', () => {
    const {player, calls} = start()
    player.send({type: 'track.play', track: track('a')})
    player.send({type: 'player.close'})
    expect(calls.at(-1)).toBe('unload')
  })
})
