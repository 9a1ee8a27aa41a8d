import {describe, expect, test} from 'vitest'
import {selectFaults, selectRefused, selectShowsFaults} from '#machines/generation/generation.selectors.ts'
import {startOwner} from './media-fixtures.ts'
import {rule, file, start} from './generation-fixture.ts'

describe('requests of a form', () => {
  test('a full form comes from nothing, from old settings, and from broken ones', () => {
    expect(start({restored: undefined}).form()).toEqual({
      prompt: '',
      model: 'small',
      length: 5,
      picture: '',
      pictures: [],
      sketch: '',
    })
    const restored = {prompt: 'bar', model: 'nobody', length: 25, unknown: 1}
    // the length is only allowed with another model, and is put back
    expect(start({restored}).form()).toMatchObject({prompt: 'bar', model: 'small', length: 5})
    expect(start({restored: {model: 'large', length: 25}}).form()).toMatchObject({model: 'large', length: 25})
  })

  test('what a change no longer allows goes back to its default and is named', () => {
    const {actor, snapshot} = start({restored: {prompt: 'bar', model: 'large', length: 25}})
    actor.send({type: 'field.change', field: 'model', value: 'small'})
    expect([snapshot().context.dropped, snapshot().context.form.length]).toEqual([['length'], 5])
  })

  test('an invalid form is not sent and shows why', () => {
    const {actor, sent, snapshot} = start({restored: {prompt: ''}})
    expect(selectShowsFaults(snapshot())).toBe(false)
    actor.send({type: 'form.submit', key: 'k', at: 1})
    expect([sent, selectShowsFaults(snapshot()), selectFaults(snapshot())]).toEqual([
      [],
      true,
      [{field: 'prompt', message: 'promptNeeded'}],
    ])
  })

  test('a double click is one request', () => {
    const {actor, clock, sent, answer, snapshot} = start()
    actor.send({type: 'form.submit', key: 'k-1', at: 1})
    actor.send({type: 'form.submit', key: 'k-2', at: 1})
    answer({type: 'submission.accepted', key: 'k-1', task: 't-1'})
    actor.send({type: 'form.submit', key: 'k-3', at: 1})
    expect([sent.map(({key}) => key), snapshot().hasTag('sent')]).toEqual([['k-1'], true])
    clock.increment(1_000)
    actor.send({type: 'form.submit', key: 'k-4', at: 2})
    expect(sent.map(({key}) => key)).toEqual(['k-1', 'k-4'])
  })

  test('other values right after a request was taken are another request; the same ones are not', () => {
    const {actor, sent, answer, snapshot} = start()
    actor.send({type: 'form.submit', key: 'k-1', at: 1})
    answer({type: 'submission.accepted', key: 'k-1', task: 't-1'})
    actor.send({type: 'field.change', field: 'prompt', value: 'baz'})
    actor.send({type: 'form.submit', key: 'k-2', at: 2})
    answer({type: 'submission.accepted', key: 'k-2', task: 't-2'})
    actor.send({type: 'form.submit', key: 'k-3', at: 3})
    expect(sent.map(({key, submission}) => [key, submission.body.prompt])).toEqual([
      ['k-1', 'bar'],
      ['k-2', 'baz'],
    ])
    expect(snapshot().hasTag('sent')).toBe(true)
  })

  test('a file added right after a request was taken makes the click another request, which waits for it', async () => {
    const {actor, sent, answer, finish, snapshot} = start()
    actor.send({type: 'form.submit', key: 'k-1', at: 1})
    answer({type: 'submission.accepted', key: 'k-1', task: 't-1'})
    actor.send({type: 'files.add', field: 'picture', files: [file('f')], rule, most: 1})
    actor.send({type: 'form.submit', key: 'k-2', at: 2})
    expect([sent.length, snapshot().hasTag('uploading')]).toEqual([1, true])
    await finish('f')
    expect(sent.map(({key}) => key)).toEqual(['k-1', 'k-2'])
  })

  test('the form can be changed while its request is on its way', () => {
    const {actor, sent, form, snapshot} = start()
    actor.send({type: 'form.submit', key: 'k', at: 1})
    actor.send({type: 'field.change', field: 'prompt', value: 'baz'})
    expect([form().prompt, sent[0]?.submission.body.prompt, snapshot().hasTag('busy')]).toEqual(['baz', 'bar', true])
  })

  test('a refused request that is not changed is the same request with the same key', () => {
    const {actor, calls, sent, answer, snapshot} = start()
    actor.send({type: 'form.submit', key: 'k-1', at: 1})
    answer({type: 'submission.rejected', key: 'k-1'})
    expect(selectRefused(snapshot())).toBe('k-1')
    actor.send({type: 'form.submit', key: 'k-2', at: 2})
    expect([calls, sent.length]).toEqual([['repeat k-1'], 1])
    answer({type: 'submission.accepted', key: 'k-1', task: 't-1'})
    expect(snapshot().hasTag('sent')).toBe(true)
  })

  test('a refused request that is changed is another one; the old is put aside', () => {
    const {actor, calls, sent, answer} = start()
    actor.send({type: 'form.submit', key: 'k-1', at: 1})
    answer({type: 'submission.rejected', key: 'k-1'})
    actor.send({type: 'field.change', field: 'prompt', value: 'baz'})
    actor.send({type: 'form.submit', key: 'k-2', at: 2})
    expect([calls, sent.map(({key}) => key)]).toEqual([
      ['remember "baz"', 'discard k-1'],
      ['k-1', 'k-2'],
    ])
  })

  test('a refused request keeps the form, and goes on with the same key when that is asked for', () => {
    const {actor, calls, sent, answer, snapshot, form} = start()
    actor.send({type: 'form.submit', key: 'k', at: 1})
    answer({type: 'submission.rejected', key: 'k'})
    expect([snapshot().hasTag('rejected'), form().prompt]).toEqual([true, 'bar'])
    actor.send({type: 'submit.repeat'})
    expect([calls, sent.length, snapshot().hasTag('busy')]).toEqual([['repeat k'], 1, true])
  })

  test('without set-up the click waits, and is sent when set-up stands', () => {
    const tool = startOwner(false)
    const {actor, sent, snapshot} = start({owner: tool.owner})
    actor.send({type: 'form.submit', key: 'k', at: 1})
    expect([sent, snapshot().hasTag('needsSetup')]).toEqual([[], true])
    tool.setUp()
    actor.send({type: 'provision.ready'})
    expect(sent.map(({key}) => key)).toEqual(['k'])
  })

  test('a file whose bytes are refused makes room as well', () => {
    const {actor, snapshot} = start()
    actor.send({type: 'files.add', field: 'pictures', files: [file('a')], rule, most: 1})
    actor.send({type: 'upload.failed', id: 'a', field: 'pictures', fault: {kind: 'content'}})
    actor.send({type: 'files.add', field: 'pictures', files: [file('b')], rule, most: 1})
    expect(snapshot().context.uploads.map(({id, state}) => [id, state])).toEqual([['b', 'running']])
  })

  test('a task that prepared something fills the form', () => {
    const {actor, form, calls} = start({restored: {prompt: 'bar', sketch: '/f.png'}})
    actor.send({type: 'result.arrived', reading: {artifacts: []}, request: {sketch: '/other.png'}})
    expect(form().picture).toBe('')
    actor.send({type: 'result.arrived', reading: {artifacts: []}, request: {sketch: '/f.png'}})
    expect([form().picture, calls]).toEqual(['prepared', ['remember "bar"']])
  })

  test('a form that fills itself from a task drops what the tool does not know', () => {
    const {actor, form} = start()
    actor.send({type: 'form.fill', values: {prompt: 'baz', model: 'large', length: 25, callback_url: 'https://foo'}})
    expect(form()).toEqual({prompt: 'baz', model: 'large', length: 25, picture: '', pictures: [], sketch: ''})
  })
})
