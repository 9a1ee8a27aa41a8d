import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {Site} from '#contract/management.ts'
import {
  selectCanSave,
  selectChanges,
  selectFailure,
  selectIsChanged,
  selectIsMerged,
} from '#machines/site-form/site-form.selectors.ts'
import type {SiteFormEvent} from '#machines/site-form/site-form.types.ts'
import {site, image, stale, saved, open} from './site-form-fixture.ts'

describe('the form of a site', () => {
  test('typed, saved as a whole site, shared with the page, and the form says what the server says', async () => {
    const {actor, sent, shared} = await open()
    expect(selectCanSave(actor.getSnapshot())).toBe(false)
    actor.send({type: 'draft.change', changes: {title: 'Bar'}})
    expect(selectCanSave(actor.getSnapshot())).toBe(true)
    actor.send({type: 'form.save'})
    const done = await waitFor(actor, (snapshot) => snapshot.matches('open'))
    expect(sent).toEqual([{...site, title: 'Bar'}])
    expect(shared).toEqual([saved, saved])
    expect([done.context.site, done.context.draft?.title, selectCanSave(done)]).toEqual([saved, 'Bar', false])
  })

  test.each<[string, () => Promise<Site | undefined>, number]>([
    ['fails', () => Promise.reject(new Error('foo')), 0],
    ['finds nothing', () => Promise.resolve(undefined), 0],
    ['does not answer', () => new Promise(() => {}), 5_000],
  ])(
    'a save counts when the reading after it %s, and the next one carries what it answered',
    async (_, reread, wait) => {
      let isRead = false
      const read = () => {
        if (isRead) return reread()
        isRead = true
        return Promise.resolve(site)
      }
      const {actor, sent, shared, clock} = await open({read})
      actor.send({type: 'draft.change', changes: {title: 'Bar'}})
      actor.send({type: 'form.save'})
      await waitFor(actor, (snapshot) => !snapshot.matches('saving'))
      clock.increment(wait)
      const done = await waitFor(actor, (snapshot) => snapshot.matches({open: {editing: 'saved'}}))
      expect([done.context.failure, done.context.site, shared]).toEqual([undefined, saved, [saved]])
      actor.send({type: 'draft.change', changes: {title: 'Baz'}})
      actor.send({type: 'form.save'})
      expect(sent.at(-1)).toEqual({...saved, title: 'Baz'})
    },
  )

  test.each<[string, () => Promise<Site>, number]>([
    ['is lost', () => Promise.reject(new TypeError('Failed to fetch')), 0],
    ['does not come', () => new Promise(() => {}), 20_000],
    ['says that it is there already', () => Promise.reject(stale), 0],
  ])('a save that was taken and whose answer %s is a save', async (_, save, wait) => {
    let isTaken = false
    const {actor, sent, clock} = await open({
      read: () => Promise.resolve(isTaken ? saved : site),
      save: () => {
        isTaken = true
        return save()
      },
    })
    actor.send({type: 'draft.change', changes: {title: ' Bar '}})
    actor.send({type: 'form.save'})
    clock.increment(wait)
    const done = await waitFor(actor, (snapshot) => snapshot.matches({open: {editing: 'saved'}}))
    expect([done.context.failure, done.context.site, sent.length]).toEqual([undefined, saved, 1])
  })

  test('a save is undone by saving what was there before, until something is changed', async () => {
    let known = site
    const {actor, sent} = await open({save: async () => (known = {...known, ...sent.at(-1)})})
    const save = async (event: SiteFormEvent) => {
      actor.send(event)
      return waitFor(actor, (snapshot) => snapshot.matches({open: {editing: 'saved'}}))
    }
    actor.send({type: 'draft.change', changes: {title: 'Bar'}})
    await save({type: 'form.save'})
    const undone = await save({type: 'save.undo'})
    expect([sent.map(({title}) => title), undone.context.draft?.title]).toEqual([['Bar', 'Foo'], 'Foo'])
    await save({type: 'save.undo'})
    expect(sent.map(({title}) => title)).toEqual(['Bar', 'Foo', 'Bar'])
    actor.send({type: 'draft.change', changes: {title: 'Baz'}})
    expect(actor.getSnapshot().can({type: 'save.undo'})).toBe(false)
  })

  test('another user saved meanwhile: what was typed is put on their site, and is saved at the second time', async () => {
    const theirs: Site = {...site, title: 'Theirs', description: 'Theirs', keywords: ['c'], updated_at: '3'}
    let known = site
    const {actor, sent, shared} = await open({
      read: async () => known,
      save: async () => {
        if (sent.length === 1) {
          known = theirs
          throw stale
        }
        return (known = {...known, ...sent.at(-1), updated_at: '4'})
      },
    })
    actor.send({type: 'draft.change', changes: {title: 'Bar', keywords: ['d']}})
    actor.send({type: 'form.save'})
    const merged = await waitFor(actor, (snapshot) => snapshot.matches('open'))
    expect([selectIsMerged(merged), selectFailure(merged), selectCanSave(merged)]).toEqual([true, undefined, true])
    expect(merged.context.draft).toMatchObject({title: 'Bar', description: 'Theirs', keywords: ['c', 'd']})
    expect(shared).toEqual([theirs])
    actor.send({type: 'form.save'})
    const done = await waitFor(actor, (snapshot) => snapshot.matches({open: {editing: 'saved'}}))
    expect(sent.at(-1)).toEqual({...theirs, title: 'Bar', keywords: ['c', 'd']})
    expect(selectIsChanged(done)).toBe(false)
    actor.send({type: 'save.undo'})
    await waitFor(actor, (snapshot) => snapshot.matches({open: {editing: 'saved'}}) && sent.length === 3)
    expect(sent.at(-1)).toEqual({
      title: 'Theirs',
      description: 'Theirs',
      keywords: ['c'],
      id: 'foo',
      origin: 'https://foo.test',
      admins: ['u-1'],
      updated_at: '4',
    })
  })

  test('what was kept is on the site as it is now, once', async () => {
    const kept = {read: site, changed: {...site, title: 'Bar'}}
    const read = async () => ({...site, description: 'Baz', updated_at: '2'})
    const {actor, sent} = await open({kept, read})
    expect(actor.getSnapshot().context.draft).toMatchObject({title: 'Bar', description: 'Baz'})
    actor.send({type: 'draft.discard'})
    expect(actor.getSnapshot().context.draft).toMatchObject({title: 'Foo', description: 'Baz'})
    expect(selectChanges(actor.getSnapshot())).toBeUndefined()
    actor.send({type: 'draft.change', changes: {title: 'Qux'}})
    expect(selectChanges(actor.getSnapshot())).toEqual({
      read: {title: 'Foo', description: 'Baz', id: 'foo', origin: 'https://foo.test', admins: ['u-1'], updated_at: '2'},
      changed: {
        title: 'Qux',
        description: 'Baz',
        id: 'foo',
        origin: 'https://foo.test',
        admins: ['u-1'],
        updated_at: '2',
      },
    })
    expect(sent).toEqual([])
  })

  test('a merged draft that is discarded leaves what the others saved', async () => {
    let known = site
    const {actor} = await open({
      read: async () => known,
      save: () => {
        known = {...site, title: 'Theirs', updated_at: '3'}
        return Promise.reject(stale)
      },
    })
    actor.send({type: 'draft.change', changes: {title: 'Bar'}})
    actor.send({type: 'form.save'})
    await waitFor(actor, (snapshot) => selectIsMerged(snapshot))
    actor.send({type: 'draft.discard'})
    const {context} = actor.getSnapshot()
    expect([context.draft?.title, selectIsChanged(actor.getSnapshot())]).toEqual(['Theirs', false])
  })

  test('a stale save whose site cannot be read keeps the draft and says why; the next save reads again', async () => {
    let known: Site | undefined = site
    const {actor} = await open({
      read: async () => known,
      save: () => {
        known = known === site ? undefined : {...site, title: 'Theirs', updated_at: '3'}
        return Promise.reject(stale)
      },
    })
    actor.send({type: 'draft.change', changes: {description: 'Bar'}})
    actor.send({type: 'form.save'})
    const failed = await waitFor(actor, (snapshot) => snapshot.matches('open'))
    expect([selectFailure(failed)?.status, failed.context.draft?.description]).toEqual([409, 'Bar'])
    actor.send({type: 'form.save'})
    const merged = await waitFor(actor, (snapshot) => selectIsMerged(snapshot))
    expect([merged.context.draft?.title, merged.context.draft?.description]).toEqual(['Theirs', 'Bar'])
  })

  test('an uploaded image is part of the draft; typing goes on meanwhile; taken back it changes nothing', async () => {
    let arrive: (url: string) => void = () => {}
    const {actor} = await open({upload: () => new Promise((resolve) => (arrive = resolve))})
    actor.send({type: 'image.choose', field: 'favicon', file: image})
    actor.send({type: 'draft.change', changes: {title: 'Bar'}})
    expect(actor.getSnapshot().matches({open: 'uploading'})).toBe(true)
    arrive('https://foo.test/p')
    const done = await waitFor(actor, (snapshot) => snapshot.matches({open: 'editing'}))
    expect([done.context.draft?.title, done.context.draft?.favicon]).toEqual(['Bar', 'https://foo.test/p'])
    expect(done.context.image).toBeUndefined()
    actor.send({type: 'image.choose', field: 'logo', file: image})
    actor.send({type: 'image.cancel'})
    expect(actor.getSnapshot().context.draft?.logo).toBe('')
  })

  test('a save without an answer ends at its deadline, with the draft kept', async () => {
    const {actor, clock} = await open({save: () => new Promise(() => {})})
    actor.send({type: 'draft.change', changes: {title: 'Bar'}})
    actor.send({type: 'form.save'})
    clock.increment(20_000)
    const {context} = await waitFor(actor, (snapshot) => snapshot.matches('open'))
    expect([context.failure?.code, context.draft?.title]).toEqual(['timeout', 'Bar'])
  })
})
