import {expect, test} from 'vitest'
import {startExport} from '#app/chat/export.ts'
import {createImport} from '#app/chat/import.ts'
import {startVoice} from '#app/chat/voice.ts'
import {ready} from './machines/start-root.ts'
import {eventually} from './eventually.ts'

async function start() {
  const {root} = await ready()
  const {system} = root.actor
  const words = {untitled: 'foo', user: 'foo', assistant: 'foo', system: 'foo'}
  const openChanges = () => Promise.reject(new Error('This test has no changes.'))
  const children = () => Object.keys(root.actors.session()?.getSnapshot().children ?? {})
  return {
    root,
    parts: () => children().filter((id) => /^(readAloud|conversation(Export|Import))\//.test(id)),
    openVoice: () => startVoice(system),
    openExport: () => startExport({records: [], words, ownFiles: [], root, openChanges}),
    openImport: () =>
      createImport({
        system,
        services: root.services,
        scriptUrl: (url) => url,
        environment: root.actors.environment(),
        list: () => undefined,
        tabs: {tell: () => undefined},
      }),
  }
}

test('a voice, an export and an import are parts of the session until their view is left', async () => {
  const {parts, openVoice, openExport, openImport} = await start()
  const [voice, other] = [openVoice(), openVoice()]
  const exporting = openExport()
  const importing = openImport()
  expect(parts()).toEqual(['readAloud/1', 'readAloud/2', 'conversationExport/1', 'conversationImport/1'])
  voice.send({type: 'thread.left'})
  exporting.send({type: 'dialog.closed'})
  importing.end()
  expect([parts(), other.getSnapshot().status]).toEqual([['readAloud/2'], 'active'])
})

test('they end with the session: the next user hears, saves and sends nothing of them', async () => {
  const {root, openVoice, openExport, openImport} = await start()
  const actors = [openVoice(), openExport(), openImport().actor]
  root.actors.auth()?.send({type: 'logout.request'})
  await eventually(() => expect(root.actors.session()).toBeUndefined())
  expect(actors.map((actor) => actor.getSnapshot().status)).toEqual(['stopped', 'stopped', 'stopped'])
})
