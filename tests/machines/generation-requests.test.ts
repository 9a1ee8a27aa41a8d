import {describe, expect, test} from 'vitest'
import {selectShownFaults, selectShowsFaults} from '#machines/generation/generation.selectors.ts'
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
    expect(start({restored}).form()).toEqual({
      prompt: 'bar',
      model: 'small',
      length: 5,
      picture: '',
      pictures: [],
      sketch: '',
    })
    expect(start({restored: {model: 'large', length: 25}}).form()).toEqual({
      model: 'large',
      length: 25,
      prompt: '',
      picture: '',
      pictures: [],
      sketch: '',
    })
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
    expect([sent, selectShowsFaults(snapshot()), selectShownFaults(snapshot())]).toEqual([
      [],
      true,
      [{field: 'prompt', message: 'promptNeeded'}],
    ])
  })

  test('each press sends the form as it is, and leaves it free', () => {
    const {actor, sent, form, snapshot} = start()
    actor.send({type: 'form.submit', key: 'k-1', at: 1})
    actor.send({type: 'field.change', field: 'prompt', value: 'baz'})
    actor.send({type: 'form.submit', key: 'k-2', at: 2})
    expect(sent).toEqual([
      {
        key: 'k-1',
        at: 1,
        tool: 'foo',
        submission: {operation: 'make', body: {...form(), prompt: 'bar'}},
        form: {...form(), prompt: 'bar'},
      },
      {key: 'k-2', at: 2, tool: 'foo', submission: {operation: 'make', body: form()}, form: form()},
    ])
    expect(snapshot().value).toEqual({editing: 'untouched'})
  })

  test('a file on its way holds the press up, which then goes out with it', async () => {
    const {actor, sent, finish, snapshot} = start()
    actor.send({type: 'files.add', field: 'picture', files: [file('f')], rule, most: 1})
    actor.send({type: 'form.submit', key: 'k', at: 2})
    expect([sent.length, snapshot().hasTag('uploading')]).toEqual([0, true])
    await finish('f')
    expect(sent.map(({key, submission}) => [key, submission.body.picture])).toEqual([['k', '/f.png']])
  })

  test('without set-up the click waits, and is sent when set-up stands', () => {
    const {actor, sent, snapshot, setUp} = start({isSetUp: false})
    actor.send({type: 'form.submit', key: 'k', at: 1})
    expect([sent, snapshot().hasTag('needsSetup')]).toEqual([[], true])
    setUp()
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
