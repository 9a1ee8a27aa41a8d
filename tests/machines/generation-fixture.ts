import {Subject} from 'rxjs'
import {createActor, fromEventObservable, fromPromise, SimulatedClock} from 'xstate'
import type {FileFault, FileRule} from '#domain/file-rules.ts'
import {createGenerationMachine} from '#machines/generation/generation.machine.ts'
import type {GenerationInput} from '#machines/generation/generation.types.ts'
import {uploadMachine} from '#machines/upload/upload.machine.ts'
import type {ChosenFile, UploadEvent} from '#machines/upload/upload.types.ts'
import {rules, startOwner} from './media-fixtures.ts'

export const machine = createGenerationMachine(rules)
export const input: GenerationInput = {tool: 'foo', owner: startOwner(true).owner, restored: {prompt: 'bar'}}
export const imageInput = {field: 'picture', medium: 'image', most: 1, label: 'foo'} as const
export const rule: FileRule = {types: ['image/png'], maxBytes: 1_000}
export const file = (id: string): ChosenFile => ({id, name: `${id}.png`, type: 'image/png', size: 10})

/** @param isSetUp whether calls can be made from the start */
export function start(
  {isSetUp = true, ...more}: Partial<GenerationInput> & {isSetUp?: boolean} = {},
  check: () => Promise<FileFault | undefined> = async () => undefined,
  form = machine,
) {
  const tool = startOwner(isSetUp)
  const calls: string[] = []
  const transfers = new Map<string, Subject<Extract<UploadEvent, {type: 'upload.progressed' | 'upload.finished'}>>>()
  const clock = new SimulatedClock()
  const actor = createActor(
    form.provide({
      actors: {
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
        rememberForm: (_, {form}) => void calls.push(`remember ${JSON.stringify(form.prompt)}`),
      },
    }),
    {clock, input: {...input, owner: tool.owner, ...more}},
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
    sent: tool.sent,
    calls,
    transfers,
    turn,
    finish,
    setUp: tool.setUp,
    snapshot: () => actor.getSnapshot(),
    form: () => actor.getSnapshot().context.form,
  }
}
