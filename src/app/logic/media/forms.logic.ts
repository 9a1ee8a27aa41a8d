import {defaultsOf, type AnyForm, type AnyScreen} from '#features/media/any-tool.ts'
import type {MediaTool, ToolIdentity} from '#contract/media/media-tool.ts'
import type {GenerationEvent} from '#machines/generation/generation.types.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import type {FormLogic} from '#machines/tool/tool.setup.ts'
import type {FormOwner} from '#machines/tool/tool.types.ts'
import {loadPart} from '#ui/load-part.ts'
import type {ToolManifest} from '../root-deps.ts'
import {chosenLogic} from '../chosen-logic.ts'
import type {createGenerationLogic} from './generation.logic.ts'
import {nearestRatio} from './nearest-ratio.ts'
import type {ToolSlices} from './tool-slices.ts'
import type {UploadLogic} from './upload.logic.ts'

/** A tool whose screen can be shown. */
export type LoadedTool = {
  identity: ToolIdentity
  identities: readonly ToolIdentity[]
  tool: MediaTool
  screen: AnyScreen
  defaults: AnyForm
}

type FormParts = {
  manifest: ToolManifest
  slices: ToolSlices
  list: (tool: string) => TaskListActor | undefined
}

/** The forms of the tools, each with the rules and the screen that are loaded before the tool is first opened. */
export function createForms({manifest, slices, list}: FormParts) {
  const loadedTools = new Map<string, LoadedTool & {chart: ReturnType<typeof createGenerationLogic>}>()
  let uploads: UploadLogic | undefined

  const logic: FormLogic = chosenLogic<
    ReturnType<typeof createGenerationLogic>,
    GenerationEvent,
    {tool: string; owner: FormOwner}
  >(({tool, owner}) => {
    const form = loadedTools.get(tool)
    if (form === undefined) throw new Error(`The form of "${tool}" was not loaded`)
    const {config, mode} = slices.read(tool)
    return {
      machine: form.chart,
      input: {tool, owner, restored: {...config, ...(mode === undefined ? {} : {mode})}},
    }
  })

  return {
    logic,
    /** Before the form of a tool starts. Rejects when no build knows the tool. */
    async load(id: string): Promise<void> {
      if (loadedTools.has(id)) return
      const [parts, {createGenerationLogic}] = await Promise.all([
        manifest.loadTool(id),
        loadPart(() => import('./generation.logic.ts')),
      ])
      const {identities} = manifest
      const identity = identities.find((each) => each.id === id)
      if (identity === undefined || parts === undefined) throw new Error(`There is no tool "${id}"`)
      const {tool, screen} = parts
      const matched = (form: AnyForm, ratio: number) => nearestRatio(screen, form, ratio)
      const chart = createGenerationLogic({...tool, matched}, {list: () => list(id), uploads: () => uploads, slices})
      loadedTools.set(id, {identity, identities, tool, screen, defaults: defaultsOf(tool), chart})
    },
    /** Undefined until the form was loaded. The same object from then on. */
    get: (id: string): LoadedTool | undefined => loadedTools.get(id),
    /** Before the first file is added to a form. */
    setUploads(logicOfUploads: UploadLogic): void {
      uploads ??= logicOfUploads
    },
  }
}
