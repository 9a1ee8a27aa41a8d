import {Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise, SimulatedClock} from 'xstate'
import type {FileFault, FileRule} from '#domain/file-rules.ts'
import {createGenerationMachine} from '#machines/generation/generation.machine.ts'
import {selectFaults, selectRefused, selectShowsFaults} from '#machines/generation/generation.selectors.ts'
import type {
  GenerationEvent,
  GenerationInput,
  SubmissionFact,
  SubmissionInput,
} from '#machines/generation/generation.types.ts'
import {uploadMachine} from '#machines/upload/upload.machine.ts'
import type {ChosenFile, UploadEvent} from '#machines/upload/upload.types.ts'
import type {EventFixtures} from './graph.ts'
import {rules, startOwner} from './media-fixtures.ts'
import {describeRules} from './rules.ts'

const machine = createGenerationMachine(rules)
const input: GenerationInput = {tool: 'foo', owner: startOwner(true).owner, restored: {prompt: 'bar'}}
const pictureInput = {field: 'picture', medium: 'image', most: 1, label: 'foo'} as const
const rule: FileRule = {types: ['image/png'], maxBytes: 1_000}
const file = (id: string): ChosenFile => ({id, name: `${id}.png`, type: 'image/png', size: 10})

const events = {
  'field.change': [
    {type: 'field.change', field: 'prompt', value: ''},
    {type: 'field.change', field: 'prompt', value: 'bar'},
  ],
  'form.reset': [{type: 'form.reset'}],
  'form.fill': [{type: 'form.fill', values: {prompt: 'baz'}}],
  'form.submit': [{type: 'form.submit', key: 'k', at: 1}],
  'submit.cancel': [{type: 'submit.cancel'}],
  'files.add': [{type: 'files.add', field: 'picture', files: [file('f')], rule, most: 1}],
  'file.remove': [{type: 'file.remove', id: 'f'}],
  'file.retry': [{type: 'file.retry', id: 'f'}],
  'file.move': [{type: 'file.move', field: 'pictures', id: 'f', place: 0}],
  'provision.ready': [{type: 'provision.ready'}],
  'result.use': [
    {type: 'result.use', use: {target: {kind: 'tool', tool: 'foo', input: pictureInput, value: '/r.png'}, ratio: 1}},
  ],
  'submit.repeat': [{type: 'submit.repeat'}],
  'submission.accepted': [{type: 'submission.accepted', key: 'k', task: 't-1'}],
  'submission.underway': [{type: 'submission.underway', key: 'k'}],
  'submission.resumed': [{type: 'submission.resumed', key: 'k'}],
  'submission.rejected': [
    {type: 'submission.rejected', key: 'k'},
    {type: 'submission.rejected', key: 'other'},
  ],
  'result.arrived': [{type: 'result.arrived', reading: {artifacts: []}, request: {}}],
  'upload.settled': [{type: 'upload.settled', id: 'f', field: 'picture', url: '/f.png'}],
  'upload.failed': [{type: 'upload.failed', id: 'f', field: 'picture'}],
  [`xstate.error.actor.${''}`]: [{type: 'xstate.error.actor.upload/f', actorId: 'upload/f', error: new Error('foo')}],
} satisfies EventFixtures<GenerationEvent>

describe('generation', () => {
  const {edges, states, coverage} = describeRules(machine, {
    user: [
      'field.change',
      'form.reset',
      'form.fill',
      'form.submit',
      'submit.cancel',
      'files.add',
      'file.remove',
      'file.retry',
      'file.move',
    ],
    input,
    inputs: [{...input, owner: startOwner(false).owner}],
    events: Object.values(events).flat(),
    outputs: {submission: [undefined]},
    key: ({context: {form, uploads, owner, request, click, showsFaults}}) => [
      form.prompt,
      form.picture,
      uploads.map(({state}) => state),
      owner.getSnapshot().hasTag('ready'),
      request?.submission,
      click === undefined,
      showsFaults,
    ],
    endless: ['submission', 'results'],
  })
  test('every transition is taken', () => expect(coverage.missing(machine)).toEqual([]))
  test('a form with faults is never sent', () => {
    const faulty = edges.filter(
      ({state, nextState}) =>
        !state.hasTag('busy') &&
        nextState.hasTag('busy') &&
        nextState.context.request !== state.context.request &&
        nextState.context.faults.length > 0,
    )
    expect(faulty).toEqual([])
  })
  test('while a request is on its way a click makes no other', () => {
    const clicked = edges.filter(({state, event}) => event.type === 'form.submit' && state.hasTag('busy'))
    expect(clicked.length).toBeGreaterThan(0)
    expect(clicked.filter(({state, nextState}) => nextState.context.request !== state.context.request)).toEqual([])
  })
  test('after a request was taken a click makes another exactly when the form is another', () => {
    const clicked = edges.filter(
      ({state, event}) =>
        event.type === 'form.submit' &&
        state.hasTag('sent') &&
        state.context.faults.length + state.context.uploads.length === 0,
    )
    const isOther = ({state: {context}}: (typeof edges)[number]) =>
      context.form.prompt !== context.request?.submission.body.prompt ||
      context.form.picture !== (context.request?.submission.body.picture ?? '')
    expect(new Set(clicked.map(isOther))).toEqual(new Set([true, false]))
    for (const edge of clicked) {
      expect(edge.nextState.context.request !== edge.state.context.request).toBe(isOther(edge))
    }
  })
  test('a refusal keeps the form', () => {
    const refused = edges.filter(({event}) => event.type === 'submission.rejected')
    expect(refused.filter(({state, nextState}) => nextState.context.form !== state.context.form)).toEqual([])
  })
  test('a request exists exactly while it is on its way, refused or just taken', () => {
    const wrong = states.filter(
      (state) => (state.matches('requested') || state.matches('sent')) !== (state.context.request !== undefined),
    )
    expect(wrong.map(({value}) => value)).toEqual([])
  })
})

function start(
  more: Partial<GenerationInput> = {},
  check: () => Promise<FileFault | undefined> = async () => undefined,
) {
  const sent: SubmissionInput[] = []
  const calls: string[] = []
  const transfers = new Map<string, Subject<Extract<UploadEvent, {type: 'upload.progressed' | 'upload.finished'}>>>()
  let answers = new Subject<SubmissionFact>()
  const clock = new SimulatedClock()
  const actor = createActor(
    machine.provide({
      actors: {
        submission: fromEventObservable<SubmissionFact, SubmissionInput>(({input: request}) => {
          sent.push(request)
          answers = new Subject()
          return answers
        }),
        upload: uploadMachine.provide({
          actors: {
            checkContent: fromPromise<FileFault | undefined, {file: ChosenFile; rule: FileRule}>(check),
            transfer: fromEventObservable(({input: {file: chosen}}: {input: {file: ChosenFile}}) => {
              const transfer = new Subject<Extract<UploadEvent, {type: 'upload.progressed' | 'upload.finished'}>>()
              transfers.set(chosen.id, transfer)
              return transfer
            }),
          },
        }),
      },
      actions: {
        repeatRequest: (_, {key}) => void calls.push(`repeat ${key}`),
        discardRequest: (_, {key}) => void calls.push(`discard ${key}`),
        rememberForm: (_, {form}) => void calls.push(`remember ${JSON.stringify(form.prompt)}`),
      },
    }),
    {clock, input: {...input, ...more}},
  ).start()
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
  const finish = async (id: string) => {
    await turn()
    transfers.get(id)?.next({type: 'upload.finished', url: `/${id}.png`})
    transfers.get(id)?.complete()
  }
  return {
    actor,
    clock,
    sent,
    calls,
    transfers,
    turn,
    finish,
    answer: (fact: SubmissionFact) => answers.next(fact),
    snapshot: () => actor.getSnapshot(),
    form: () => actor.getSnapshot().context.form,
  }
}

describe('generation journeys', () => {
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
    expect([sent, snapshot().value, snapshot().context.uploads[0]?.state]).toEqual([[], 'editing', 'failed'])
    actor.send({type: 'file.retry', id: 'f'})
    await finish('f')
    expect(form().picture).toBe('/f.png')
    actor.send({type: 'file.remove', id: 'f'})
    expect([form().picture, snapshot().context.uploads]).toEqual(['', []])
  })

  test('three files travel at once, the list keeps its limit, and a new single file takes the old one’s place', async () => {
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
    const move = (id: string, place: number) => actor.send({type: 'file.move', field: 'pictures', id, place})
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
