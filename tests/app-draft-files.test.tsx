import {expect, test} from 'vitest'
import {openDraftFiles} from '#app/chat/open-draft-files.ts'
import {createValueStore} from '#browser/value-store.ts'
import type {OpenedFiles} from '#features/chat/draft-files.ts'
import {createWorld} from './machines/root-world.ts'
import {signedIn} from './machines/start-root.ts'
import {eventually} from './eventually.ts'

function start() {
  const {root} = createWorld({stored: signedIn})
  const opened = createValueStore<OpenedFiles>(new Map())
  const drafts = {
    read: () => undefined,
    write: () => undefined,
    close: () => undefined,
    look: () => undefined,
    subscribe: () => () => undefined,
    heard: createValueStore(undefined),
  }
  const session = () => root.actors.session()
  const parts = () => Object.keys(session()?.getSnapshot().children ?? {}).filter((id) => id.startsWith('draftFiles'))
  return {root, opened, session, parts, open: async (key: string) => openDraftFiles({root, drafts, opened}, {key})}
}
const file = (name: string) => new File(['foo'], name)

test('the files of each draft are a part of the session until its message is sent', async () => {
  const {root, opened, parts, open} = start()
  root.start()
  const [first, second] = [await open('a'), await open('b')]
  expect(parts()).toEqual(['draftFiles/1', 'draftFiles/2'])
  expect(await open('a')).toBe(first)
  first.close()
  expect([parts(), [...opened.get().keys()]]).toEqual([['draftFiles/2'], ['b']])
  second.add([file('foo.txt')])
  await open('a')
  expect([parts(), second.get().map(({name}) => name)]).toEqual([['draftFiles/2', 'draftFiles/1'], ['foo.txt']])
})

test('they end with the session, and the next one has none of them', async () => {
  const {root, opened, session, open} = start()
  root.start()
  const uploads = await open('a')
  uploads.add([file('foo.txt')])
  root.actors.auth()?.send({type: 'logout.request'})
  await eventually(() => expect(session()).toBeUndefined())
  expect([...opened.get()]).toEqual([])
})

test('files that are chosen before there is a session wait for it', async () => {
  const {root, opened, parts, open} = start()
  const opening = open('a')
  expect([...opened.get()]).toEqual([])
  root.start()
  await opening
  expect([parts(), [...opened.get().keys()]]).toEqual([['draftFiles/1'], ['a']])
})
