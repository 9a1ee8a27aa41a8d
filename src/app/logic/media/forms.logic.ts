import type {MediaTool} from '#contract/media/media-tool.ts'
import type {ProvisioningActor, ProvisioningSnapshot} from '#machines/provisioning/provisioning.machine.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import type {FormLogic} from '#machines/tasks/tasks.setup.ts'
import type {SetUp} from '#machines/tasks/tasks.types.ts'
import {loadPart} from '#ui/load-part.ts'
import type {createGenerationLogic} from './generation.logic.ts'
import type {ToolSlices} from './tool-slices.ts'
import type {UploadLogic} from './upload.logic.ts'

export const setUpOf = (snapshot: ProvisioningSnapshot): SetUp =>
  snapshot.hasTag('ready') ? 'ready' : snapshot.hasTag('settling') ? 'settling' : 'missing'

type FormParts = {
  slices: ToolSlices
  list: (tool: string) => TaskListActor | undefined
  provisioning: (tool: string) => ProvisioningActor | undefined
}

/** The charts of the tools' forms, each loaded before its tool is first opened; the forms themselves are actors below `tasks`. */
export function createForms({slices, list, provisioning}: FormParts) {
  const charts = new Map<string, ReturnType<typeof createGenerationLogic>>()
  let uploads: UploadLogic | undefined

  const inputOf = (tool: string) => {
    const {config, mode} = slices.read(tool)
    const setUp = provisioning(tool)
    return {
      tool,
      setUp: setUp === undefined ? ('settling' as const) : setUpOf(setUp.getSnapshot()),
      restored: {...config, ...(mode === undefined ? {} : {mode})},
    }
  }
  const logic: FormLogic = {
    getInitialSnapshot: (scope, {tool}) => {
      const chart = charts.get(tool)
      if (chart === undefined) throw new Error(`The form of "${tool}" was not loaded`)
      // as: the scope is that of this very actor; only the type of the system's actor ids differs
      return chart.getInitialSnapshot(scope as never, inputOf(tool))
    },
    // as: see above
    transition: (snapshot, event, scope) => snapshot.machine.transition(snapshot, event, scope as never),
    start: (snapshot) => snapshot.machine.start(snapshot),
    getPersistedSnapshot: (snapshot) => snapshot.machine.getPersistedSnapshot(snapshot),
  }

  return {
    logic,
    /** Before the form of a tool is opened. */
    async prepare(id: string, tool: MediaTool): Promise<void> {
      if (charts.has(id)) return
      const {createGenerationLogic} = await loadPart(() => import('./generation.logic.ts'))
      charts.set(id, createGenerationLogic(tool, {list: () => list(id), uploads: () => uploads, slices}))
    },
    /** Before the first file is added to a form. */
    setUploads(loaded: UploadLogic): void {
      uploads ??= loaded
    },
  }
}
