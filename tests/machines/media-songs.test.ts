import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {hub} from './root-world.ts'
import {createMediaBackend, open, submit} from './media-world.ts'

describe('songs below the root, and the end of a session with them', () => {
  const track = (id: string) => ({id, url: `${hub}/${id}.mp3`, title: id})
  const songs = ['a', 'b'].map(track)

  test('the first song loads the player, and plays once that is there: the one that was pressed last', async () => {
    const page = open(createMediaBackend())
    await page.use()
    expect([page.loaded.includes('player'), page.root.actors.player()]).toEqual([false, undefined])
    page.tools.play({track: track('a'), queue: songs})
    page.tools.play({track: track('b'), queue: songs})
    const player = await page.player()
    await waitFor(player, ({context}) => context.index === 1)
    const {value, context} = player.getSnapshot()
    expect([value, context]).toEqual([
      {open: 'loading'},
      {queue: songs, index: 1, position: 0, duration: 0, volume: 100},
    ])
    expect(page.stored().player).toEqual({queue: songs, index: 1, position: 0})
    page.tools.play({track: track('a')})
    expect(player.getSnapshot().context.queue).toEqual([track('a')])
    expect(page.loaded.filter((part) => part === 'player')).toEqual(['player'])
  })

  test('a player that was prepared in vain is loaded for the song', async () => {
    const page = open(createMediaBackend(), {losesPlayer: [true]})
    await page.use()
    await page.tools.preparePlayer()
    expect(page.root.actors.player()).toBeUndefined()
    page.tools.play({track: track('a')})
    await waitFor(await page.player(), ({context}) => context.queue.length > 0)
    expect(page.loaded.filter((part) => part === 'player')).toHaveLength(2)
  })

  test('songs wait after a reload for the same user, and go with the session', async () => {
    const page = open(createMediaBackend())
    await page.use()
    page.tools.play({track: track('b'), queue: songs})
    const player = await page.player()
    await waitFor(player, (snapshot) => snapshot.matches('open'))
    player.send({type: 'audio.progressed', position: 12})
    expect(page.stored().player).toEqual({queue: songs, index: 1, position: 12})

    const later = open(createMediaBackend(), {stored: page.stored()})
    const {value, context} = (await later.player()).getSnapshot()
    expect([value, context]).toEqual([{open: 'kept'}, {queue: songs, index: 1, position: 12, duration: 0, volume: 100}])
    // who listens in the chat carries no task
    expect(later.loaded).toEqual(['player'])
    later.events.tabs.next({type: 'session.ended', epoch: 1})
    await waitFor(later.root.actor, () => later.root.actors.session() === undefined)
    expect(later.stored().player).toBeUndefined()
  })

  test('signing out ends forms, lists and player, and leaves nothing of the user', async () => {
    const page = open(createMediaBackend())
    const flux = await page.use()
    await submit(flux, 'secret', 'k-1')
    page.tools.play({track: track('a')})
    const player = await page.player()
    page.events.tabs.next({type: 'session.ended', epoch: 1})
    await waitFor(page.root.actor, () => page.root.actors.session() === undefined)
    const {generation, list, provisioning} = flux.actors
    expect([generation, list, provisioning, player].map((actor) => actor.getSnapshot().status)).toEqual([
      'stopped',
      'stopped',
      'stopped',
      'stopped',
    ])
  })
})
