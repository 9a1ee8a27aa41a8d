import {describe, expect, test} from 'vitest'
import {usedCommands} from '#browser/remembered-value.ts'
import {createBackend, type createWorld} from './root-world.ts'
import {eventually} from '../eventually.ts'
import {ready, signedIn} from './start-root.ts'

type World = ReturnType<typeof createWorld>

const record = (key: string) => ({
  ...{key, id: key, model: 'm', updatedAt: 1},
  messages: [{role: 'user' as const, content: 'private'}],
})
const keysOf = ({bulkItems}: World, user: string) => [...bulkItems.keys()].filter((key) => key.includes(user))

/** One write of the user runs, and two are to follow. */
function writeOf({deps}: World) {
  deps.bulk.saveConversation('u-1', record('running'))
  const running = deps.bulk.flush()
  deps.bulk.saveConversation('u-1', record('pending'))
  deps.bulk.saveDraft('u-1', 'pending', {text: 'private', references: []})
  deps.bulk.saveDraft('u-2', 'theirs', {text: 'foo', references: []})
  return running
}

const afterSignOut = {_meta: {v: 1, epoch: 1, savedAt: 1}}

test.each([
  ['goes when another user signs in, though the session of the first one ended while no page was open', 'u-2', []],
  ['stays when the same user is back', 'u-1', ['chat/conversation-1']],
])('used last in the palette: it %s', async (_, owner, commands) => {
  usedCommands.set(['chat/conversation-1'])
  await ready({stored: {...signedIn, owner}})
  expect(usedCommands.get()).toEqual(commands)
})

describe('the data of a user who signs out', () => {
  test.each([
    ['says so', (world: World) => world.events.tabs.next({type: 'session.ended', epoch: 1})],
    [
      'said so while this one slept',
      (world: World) => {
        world.storeElsewhere(afterSignOut)
        world.events.restored.next()
      },
    ],
  ])('what a tab has on its way is not written after another one %s', async (_, tell) => {
    const world = await ready()
    await world.deps.bulk.flush()
    world.bulkItems.clear()
    const running = writeOf(world)
    tell(world)
    await running
    await world.deps.bulk.flush()
    await eventually(() => expect(keysOf(world, 'u-1')).toEqual([]))
    expect(keysOf(world, 'u-2')).toHaveLength(1)
  })

  test('a tab that hears of a sign-out which is over leaves what is stored by now', async () => {
    const world = await ready()
    await world.deps.bulk.flush()
    world.bulkItems.set('user/u-1/draft/newer', {text: 'of the next session', references: []})
    const running = writeOf(world)
    world.events.tabs.next({type: 'session.ended', epoch: 1})
    await running
    await eventually(() => expect(keysOf(world, 'u-1')).toEqual(['user/u-1/draft/newer']))
  })

  test('it goes at once, however long the server takes to end the token', async () => {
    const backend = createBackend()
    const answers: (() => void)[] = []
    const fetch: typeof backend.fetch = async (address, init) => {
      if (new Request(address).url.endsWith('/revoke')) await new Promise<void>((resolve) => answers.push(resolve))
      return backend.fetch(address, init)
    }
    const world = await ready({backend: {...backend, fetch}})
    await writeOf(world)
    expect(keysOf(world, 'u-1')).toEqual(['user/u-1/conversation/running'])
    world.root.actors.auth()?.send({type: 'logout.request'})
    await eventually(() => expect(answers).toHaveLength(1))
    await eventually(() => expect(keysOf(world, 'u-1')).toEqual([]))
    world.deps.bulk.saveDraft('u-1', 'meanwhile', {text: 'typed', references: []})
    answers[0]?.()
    await eventually(() => expect(world.navigations).toHaveLength(1))
    await world.deps.bulk.flush()
    expect(keysOf(world, 'u-1')).toEqual([])
  })
})
