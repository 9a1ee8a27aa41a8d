import {Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise, setup, type AnyEventObject} from 'xstate'
import {lostContact} from '#domain/failure.ts'
import {contentFault, fileFault, type FileFault, type FileRule} from '#domain/file-rules.ts'
import {uploadMachine} from '#machines/upload/upload.machine.ts'
import type {ChosenFile, UploadEvent, UploadInput} from '#machines/upload/upload.types.ts'
import type {EventFixtures} from './graph.ts'
import {nobody} from './nobody.ts'
import {describeRules} from './rules.ts'

const rule: FileRule = {types: ['image/png', 'image/jpeg'], maxBytes: 1_000}
const file: ChosenFile = {id: 'f', name: 'foo.png', type: 'image/png', size: 10}
const input: UploadInput = {parentRef: nobody, file, field: 'picture', rule}

const events = {
  'upload.start': [{type: 'upload.start'}],
  'upload.retry': [{type: 'upload.retry'}],
  'upload.discard': [{type: 'upload.discard'}],
  'upload.progressed': [{type: 'upload.progressed', percent: 40}],
  'upload.finished': [{type: 'upload.finished', url: '/foo.png'}],
} satisfies EventFixtures<UploadEvent>

describe('upload', () => {
  const {edges, coverage} = describeRules(uploadMachine, {
    user: ['upload.start', 'upload.retry', 'upload.discard'],
    input,
    inputs: [{...input, file: {...file, name: 'foo.svg', type: 'image/svg+xml'}}],
    events: Object.values(events).flat(),
    outputs: {checkContent: [undefined, {kind: 'content'} satisfies FileFault], transfer: [undefined]},
    key: ({context: {percent, url, fault, failure}}) => [percent, url, fault, failure?.code],
  })
  test('every transition is taken', () => expect(coverage.missing(uploadMachine)).toEqual([]))
  test('nothing is sent that was not checked', () => {
    const unchecked = edges.filter(({state, nextState}) => nextState.matches('transferring') && state.matches('queued'))
    expect(unchecked).toEqual([])
  })
})

function start(check: () => Promise<FileFault | undefined>, more: Partial<ChosenFile> = {}) {
  const facts: AnyEventObject[] = []
  let transfer = new Subject<Extract<UploadEvent, {type: 'upload.progressed' | 'upload.finished'}>>()
  const machine = uploadMachine.provide({
    actors: {
      checkContent: fromPromise<FileFault | undefined, {file: ChosenFile; rule: FileRule}>(check),
      transfer: fromEventObservable(() => {
        transfer = new Subject()
        return transfer
      }),
    },
  })
  const parent = setup({actors: {child: machine}}).createMachine({
    invoke: {id: 'child', src: 'child', input: ({self}) => ({...input, file: {...file, ...more}, parentRef: self})},
    on: {'upload.*': {actions: ({event}) => void facts.push(event)}},
  })
  const upload = createActor(parent).start().getSnapshot().children.child
  if (upload === undefined) throw new Error('The child did not start')
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {upload, facts, turn, transfer: () => transfer, context: () => upload.getSnapshot().context}
}

describe('upload journeys', () => {
  test('checked, sent with progress, done', async () => {
    const {upload, facts, turn, transfer, context} = start(async () => undefined)
    upload.send({type: 'upload.start'})
    await turn()
    transfer().next({type: 'upload.progressed', percent: 40})
    expect(context().percent).toBe(40)
    transfer().next({type: 'upload.finished', url: '/foo.png'})
    transfer().complete()
    expect(upload.getSnapshot().hasTag('done')).toBe(true)
    expect(facts).toEqual([{type: 'upload.settled', id: 'f', field: 'picture', url: '/foo.png'}])
  })

  test('a transfer that is cut off can be tried again', async () => {
    const {upload, facts, turn, transfer, context} = start(async () => undefined)
    upload.send({type: 'upload.start'})
    await turn()
    transfer().error(lostContact('foo'))
    expect([upload.getSnapshot().hasTag('failed'), context().failure?.lost]).toEqual([true, true])
    upload.send({type: 'upload.retry'})
    await turn()
    transfer().next({type: 'upload.finished', url: '/foo.png'})
    transfer().complete()
    expect(facts.map(({type}) => type)).toEqual(['upload.failed', 'upload.settled'])
  })

  test('a stream that ends without an address is a failure', async () => {
    const {upload, turn, transfer} = start(async () => undefined)
    upload.send({type: 'upload.start'})
    await turn()
    transfer().complete()
    expect(upload.getSnapshot().hasTag('failed')).toBe(true)
  })

  test.each([
    ['a type that the field does not take', {name: 'foo.svg', type: 'image/svg+xml'}, 'type'],
    ['a file that is too large', {size: 1_001}, 'size'],
    ['an empty file', {size: 0}, 'empty'],
  ])('%s is refused at once', (_, more, kind) => {
    const {upload, context} = start(() => Promise.reject(new Error('not asked')), more)
    expect([upload.getSnapshot().hasTag('refused'), context().fault?.kind]).toEqual([true, kind])
  })

  test('bytes of another kind are refused before they are sent', async () => {
    const {upload, turn, context} = start(async () => ({kind: 'content'}))
    upload.send({type: 'upload.start'})
    await turn()
    expect([upload.getSnapshot().hasTag('refused'), context().fault]).toEqual([true, {kind: 'content'}])
  })
})

describe('file rules', () => {
  const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  const webp = [...'RIFF....WEBP'].map((letter) => letter.charCodeAt(0))
  test.each([
    ['image/png', png, undefined],
    ['image/webp', webp, undefined],
    ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0], undefined],
    ['audio/mpeg', [0x49, 0x44, 0x33, 4], undefined],
    ['audio/mpeg', [0xff, 0xfb, 0x90], undefined],
    ['video/mp4', [0, 0, 0, 32, 0x66, 0x74, 0x79, 0x70], undefined],
    ['image/png', webp, {kind: 'content'}],
    ['image/webp', png, {kind: 'content'}],
    ['image/png', [], {kind: 'content'}],
    ['text/plain', png, undefined],
  ])('the start of %s', (type, head, fault) => expect(contentFault(type, head)).toEqual(fault))

  test('an image named as another kind of image is one where both are taken', () => {
    expect(contentFault('image/jpeg', png, ['image/jpeg', 'image/png'])).toBeUndefined()
    expect(contentFault('image/jpeg', png, ['image/jpeg'])).toEqual({kind: 'content'})
    expect(contentFault('video/mp4', png, ['video/mp4', 'image/png'])).toEqual({kind: 'content'})
  })

  test('a name decides where the browser knows no type', () => {
    expect(fileFault({name: 'FOO.JPG', type: '', size: 1}, rule)).toBeUndefined()
    expect(fileFault({name: 'a/b\\c.png', type: '', size: 1}, rule)).toBeUndefined()
    expect(fileFault({name: 'foo.png.exe', type: 'image/png', size: 1}, rule)).toBeUndefined()
  })
})
