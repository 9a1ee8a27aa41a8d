import {describe, expect, test} from 'vitest'
import {fileOf, startDraftFiles} from './draft-files-fixtures.ts'

describe('Send was pressed before the upload ended', () => {
  async function press(...ids: string[]) {
    const started = startDraftFiles()
    started.actor.send({type: 'files.add', files: ids.map((id) => fileOf(id)), hasFolders: false})
    const transfers = await Promise.all(ids.map((id) => started.sent(id)))
    started.actor.send({type: 'send.held'})
    return {...started, transfers, presses: () => started.actor.getSnapshot().context.presses}
  }

  test('once all are there the message is unsent, until it is edited', async () => {
    const {actor, finish, state, presses, transfers} = await press('a', 'b')
    expect(state()).toBe('held')
    for (const [index, transfer] of transfers.entries()) {
      expect(state()).toBe('held')
      finish(transfer, `${index}-url`)
    }
    expect([state(), presses()]).toEqual(['unsent', 1])
    actor.send({type: 'draft.edited'})
    expect([state(), presses()]).toEqual(['ready', 0])
  })

  test('a page that opens the draft again finds it unsent', async () => {
    const {actor, finish, state, transfers} = await press('a')
    const follow = (url: string) =>
      actor.send({type: 'draft.followed', references: [{url, name: 'a.pdf', size: 3}], ids: ['a']})
    follow('lost:3/a.pdf')
    expect(state()).toBe('held')
    transfers.forEach((transfer) => finish(transfer, 'a-url'))
    follow('a-url')
    expect(state()).toBe('unsent')
    actor.send({type: 'draft.followed', references: [], ids: []})
    expect(state()).toBe('empty')
  })

  test('one that fails holds it until it is there, and more files do', async () => {
    const {actor, sent, finish, state, transfers} = await press('a', 'b')
    transfers[0]?.error(new Error('foo'))
    transfers.slice(1).forEach((transfer) => finish(transfer, 'b-url'))
    expect(state()).toBe('held')
    actor.send({type: 'files.add', files: [fileOf('c')], hasFolders: false})
    actor.send({type: 'file.retry', id: 'a'})
    finish(await sent('a', 2), 'a-url')
    expect(state()).toBe('held')
    finish(await sent('c'), 'c-url')
    expect(state()).toBe('unsent')
  })

  test('without one of two that hold it, it waits for the other, and is unsent then', async () => {
    const {actor, finish, state, presses, transfers} = await press('a', 'b')
    actor.send({type: 'file.remove', id: 'a'})
    expect(state()).toBe('held')
    transfers.slice(1).forEach((transfer) => finish(transfer, 'b-url'))
    expect([state(), presses()]).toEqual(['unsent', 1])
  })

  test('without the file that held it, and with another one, it is as before', async () => {
    const {actor, finish, state, presses, transfers} = await press('a', 'b')
    transfers.slice(1).forEach((transfer) => finish(transfer, 'b-url'))
    actor.send({type: 'file.remove', id: 'a'})
    expect([state(), presses()]).toEqual(['ready', 0])
    actor.send({type: 'send.held'})
    expect(state()).toBe('unsent')
    actor.send({type: 'files.add', files: [fileOf('c')], hasFolders: false})
    expect([state(), presses()]).toEqual(['waiting', 0])
  })
})
