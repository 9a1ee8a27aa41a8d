import {describe, expect, test} from 'vitest'
import {createGenerationMachine} from '#machines/generation/generation.machine.ts'
import {selectShowsFaults, selectShownFaults} from '#machines/generation/generation.selectors.ts'
import {rule, file, start} from './generation-fixture.ts'
import {rules} from './media-fixtures.ts'

const imageNeeded = {field: 'picture', message: 'pictureNeeded'}
const imageForm = createGenerationMachine({
  ...rules,
  faults: ({picture: image}) => (image === '' ? [imageNeeded] : []),
})

describe('files of a form', () => {
  test('sending waits for files on their way, and their addresses go with it', async () => {
    const {actor, sent, snapshot, finish, form} = start()
    actor.send({type: 'files.add', field: 'picture', files: [file('f')], rule, most: 1})
    actor.send({type: 'form.submit', key: 'k', at: 1})
    expect([sent, snapshot().hasTag('uploading')]).toEqual([[], true])
    await finish('f')
    expect([sent.length, form().picture]).toEqual([1, '/f.png'])
  })

  test('a file that fails calls the click off and can be sent again or taken back', async () => {
    const {actor, sent, transfers, turn, finish, snapshot, form} = start()
    actor.send({type: 'files.add', field: 'picture', files: [file('f')], rule, most: 1})
    actor.send({type: 'form.submit', key: 'k', at: 1})
    await turn()
    transfers.get('f')?.error({code: 'unknown', detail: 'foo', lost: true})
    expect([sent, snapshot().value, snapshot().context.uploads[0]?.state]).toEqual([[], {editing: 'checked'}, 'failed'])
    actor.send({type: 'file.retry', id: 'f'})
    await finish('f')
    expect(form().picture).toBe('/f.png')
    actor.send({type: 'file.remove', id: 'f'})
    expect([form().picture, snapshot().context.uploads]).toEqual(['', []])
  })

  test('three files travel at once, the list keeps its limit, and a new single file replaces the old one', async () => {
    const {actor, transfers, turn, finish, form} = start()
    const files = ['a', 'b', 'c', 'd', 'e'].map(file)
    actor.send({type: 'files.add', field: 'pictures', files, rule, most: 4})
    await turn()
    expect([...transfers.keys()]).toEqual(['a', 'b', 'c'])
    await finish('a')
    await turn()
    expect([...transfers.keys()]).toEqual(['a', 'b', 'c', 'd'])
    for (const id of ['b', 'c', 'd']) await finish(id)
    expect(form().pictures).toEqual(['/a.png', '/b.png', '/c.png', '/d.png'])
    actor.send({type: 'files.add', field: 'picture', files: [file('x')], rule, most: 1})
    await finish('x')
    actor.send({type: 'files.add', field: 'picture', files: [file('y')], rule, most: 1})
    await finish('y')
    expect(form().picture).toBe('/y.png')
  })

  test('a field is not said to be empty while its file is on its way', async () => {
    const {actor, turn, transfers, snapshot} = start({}, undefined, imageForm)
    actor.send({type: 'form.submit', key: 'k', at: 1})
    expect(selectShownFaults(snapshot())).toEqual([imageNeeded])
    actor.send({type: 'files.add', field: 'picture', files: [file('f')], rule, most: 1})
    expect(selectShownFaults(snapshot())).toEqual([])
    await turn()
    transfers.get('f')?.error({code: 'unknown', detail: 'foo', lost: true})
    expect(selectShownFaults(snapshot())).toEqual([imageNeeded])
  })

  test('a file of a field that does not take part holds nothing up', async () => {
    const {actor, sent, turn, transfers, snapshot} = start()
    actor.send({type: 'files.add', field: 'sketch', files: [file('f')], rule, most: 1})
    await turn()
    transfers.get('f')?.error({code: 'unknown', detail: 'foo', lost: true})
    expect(snapshot().context.uploads[0]?.state).toBe('failed')
    actor.send({type: 'form.submit', key: 'k-1', at: 1})
    expect([sent, selectShowsFaults(snapshot())]).toEqual([[], true])
    actor.send({type: 'field.change', field: 'model', value: 'large'})
    actor.send({type: 'form.submit', key: 'k-2', at: 1})
    expect(sent.map(({key}) => key)).toEqual(['k-2'])
  })

  test('a file on its way to a field that does not take part is not waited for', () => {
    const {actor, sent} = start({restored: {prompt: 'bar', model: 'large'}})
    actor.send({type: 'files.add', field: 'sketch', files: [file('f')], rule, most: 1})
    actor.send({type: 'form.submit', key: 'k', at: 1})
    expect(sent.map(({key}) => key)).toEqual(['k'])
  })

  test('a file whose address left the form is not shown any more', async () => {
    const {actor, finish, snapshot, form} = start()
    actor.send({type: 'files.add', field: 'picture', files: [file('a')], rule, most: 1})
    await finish('a')
    actor.send({type: 'form.fill', values: {picture: '/other.png'}})
    expect([form().picture, snapshot().context.uploads]).toEqual(['/other.png', []])
    actor.send({type: 'files.add', field: 'sketch', files: [file('b')], rule, most: 1})
    await finish('b')
    actor.send({type: 'field.change', field: 'model', value: 'large'})
    actor.send({type: 'field.change', field: 'model', value: 'small'})
    expect([form().sketch, snapshot().context.uploads]).toEqual(['', []])
  })

  test('a field that is filled from elsewhere ends the file on its way to it', async () => {
    const {actor, finish, snapshot, form} = start()
    actor.send({type: 'files.add', field: 'picture', files: [file('a')], rule, most: 1})
    actor.send({type: 'form.fill', values: {picture: '/other.png'}})
    await finish('a')
    expect([form().picture, snapshot().context.uploads]).toEqual(['/other.png', []])
  })

  test('what is added to a list, or taken out of it, ends no file on its way to it', async () => {
    const {actor, finish, form} = start({restored: {pictures: ['/x.png']}})
    actor.send({type: 'files.add', field: 'pictures', files: [file('a'), file('b')], rule, most: 5})
    actor.send({type: 'form.fill', values: {pictures: ['/x.png', '/y.png']}})
    await finish('a')
    actor.send({type: 'field.change', field: 'pictures', value: ['/y.png', '/a.png']})
    await finish('b')
    expect(form().pictures).toEqual(['/y.png', '/a.png', '/b.png'])
  })

  test('files go out in the order in which they were chosen, whichever upload ends first', async () => {
    const {actor, sent, finish, form} = start({restored: {prompt: 'bar', pictures: ['/x.png']}})
    actor.send({type: 'files.add', field: 'pictures', files: [file('a'), file('b'), file('c')], rule, most: 5})
    actor.send({type: 'form.submit', key: 'k', at: 1})
    await finish('c')
    await finish('a')
    expect(form().pictures).toEqual(['/x.png', '/a.png', '/c.png'])
    await finish('b')
    expect(sent[0]?.submission.body.pictures).toEqual(['/x.png', '/a.png', '/b.png', '/c.png'])
  })

  test('a file is moved before, while and after it travels, beside values from elsewhere', async () => {
    const {actor, calls, finish, form, snapshot} = start({restored: {prompt: 'bar', pictures: ['/x.png', '/y.png']}})
    const move = (id: string, position: number) => actor.send({type: 'file.move', field: 'pictures', id, position})
    move('/y.png', 0)
    expect([form().pictures, calls]).toEqual([['/y.png', '/x.png'], ['remember "bar"']])
    actor.send({type: 'files.add', field: 'pictures', files: [file('a'), file('b')], rule, most: 5})
    move('b', 0)
    move('a', 2)
    expect([form().pictures, snapshot().context.orders]).toEqual([
      ['/y.png', '/x.png'],
      {pictures: ['b', '/y.png', 'a', '/x.png']},
    ])
    await finish('a')
    await finish('b')
    expect(form().pictures).toEqual(['/b.png', '/y.png', '/a.png', '/x.png'])
    move('a', 0)
    move('unknown', 0)
    expect(form().pictures).toEqual(['/a.png', '/b.png', '/y.png', '/x.png'])
    actor.send({type: 'file.remove', id: 'b'})
    expect(snapshot().context.orders).toEqual({pictures: ['a', '/y.png', '/x.png']})
  })

  test('files over the limit are named, hold nothing up, and make room for the next', async () => {
    const {actor, finish, sent, snapshot} = start()
    const files = ['a', 'b', 'c'].map(file)
    actor.send({type: 'files.add', field: 'pictures', files, rule, most: 2})
    for (const id of ['a', 'b']) await finish(id)
    const shown = () => snapshot().context.uploads.map(({id, state, fault}) => [id, state, fault])
    expect(shown()).toEqual([
      ['a', 'done', undefined],
      ['b', 'done', undefined],
      ['c', 'failed', {kind: 'count', most: 2}],
    ])
    actor.send({type: 'file.retry', id: 'c'})
    actor.send({type: 'form.submit', key: 'k', at: 1})
    expect([sent.length, snapshot().status]).toEqual([1, 'active'])
    actor.send({type: 'file.remove', id: 'a'})
    actor.send({type: 'files.add', field: 'pictures', files: [file('d')], rule, most: 2})
    await finish('d')
    expect(shown().map(([id]) => id)).toEqual(['b', 'd'])
  })

  test('a refused file takes no room and gives way to the next one', async () => {
    const {actor, finish, form, snapshot} = start()
    const svg = (id: string) => ({...file(id), name: `${id}.svg`, type: 'image/svg+xml'})
    const shown = () => snapshot().context.uploads.map(({id, state, fault}) => [id, state, fault?.kind])
    actor.send({type: 'files.add', field: 'pictures', files: [svg('s'), file('a'), file('b')], rule, most: 2})
    for (const id of ['a', 'b']) await finish(id)
    expect([form().pictures, shown()]).toEqual([
      ['/a.png', '/b.png'],
      [
        ['s', 'failed', 'type'],
        ['a', 'done', undefined],
        ['b', 'done', undefined],
      ],
    ])
    actor.send({type: 'file.remove', id: 'b'})
    actor.send({type: 'files.add', field: 'pictures', files: [file('c')], rule, most: 2})
    await finish('c')
    expect([form().pictures, shown().map(([id]) => id)]).toEqual([
      ['/a.png', '/c.png'],
      ['a', 'c'],
    ])
  })

  test('a refused file leaves the one of a single field on its way, and goes when another comes', async () => {
    const {actor, finish, form, snapshot} = start()
    const svg = {...file('s'), name: 's.svg', type: 'image/svg+xml'}
    actor.send({type: 'files.add', field: 'picture', files: [file('a')], rule, most: 1})
    actor.send({type: 'files.add', field: 'picture', files: [svg], rule, most: 1})
    await finish('a')
    expect(form().picture).toBe('/a.png')
    actor.send({type: 'files.add', field: 'picture', files: [{...svg, id: 't'}], rule, most: 1})
    actor.send({type: 'file.retry', id: 't'})
    expect(snapshot().context.uploads.map(({id, state}) => [id, state])).toEqual([
      ['a', 'done'],
      ['t', 'failed'],
    ])
    actor.send({type: 'form.fill', values: {picture: '/own.png'}})
    expect([form().picture, snapshot().context.uploads]).toEqual(['/own.png', []])
  })
})
