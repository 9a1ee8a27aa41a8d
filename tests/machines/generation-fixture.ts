import {Subject} from 'rxjs'
import {createActor, fromEventObservable, fromPromise, SimulatedClock} from 'xstate'
import type {FileFault, FileRule} from '#domain/file-rules.ts'
import {createGenerationMachine} from '#machines/generation/generation.machine.ts'
import type {GenerationInput, SubmissionFact, SubmissionInput} from '#machines/generation/generation.types.ts'
import {uploadMachine} from '#machines/upload/upload.machine.ts'
import type {ChosenFile, UploadEvent} from '#machines/upload/upload.types.ts'
import {rules, startOwner} from './media-fixtures.ts'

export const machine = createGenerationMachine(rules)
export const input: GenerationInput = {tool: 'foo', owner: startOwner(true).owner, restored: {prompt: 'bar'}}
export const pictureInput = {field: 'picture', medium: 'image', most: 1, label: 'foo'} as const
export const rule: FileRule = {types: ['image/png'], maxBytes: 1_000}
export const file = (id: string): ChosenFile => ({id, name: `${id}.png`, type: 'image/png', size: 10})

export function start(
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
