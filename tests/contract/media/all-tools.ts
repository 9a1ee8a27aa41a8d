import type {ToolScreen} from '#contract/media/media-screen.ts'
import type {StoredArtifact, MediaTool, Medium} from '#contract/media/media-tool.ts'

const tools = import.meta.glob<MediaTool>(
  [
    '../../../src/contract/media/*.ts',
    '!../../../src/contract/media/*.screen.ts',
    '!../../../src/contract/media/media-*.ts',
  ],
  {eager: true, import: 'tool'},
)
const screens = import.meta.glob<ToolScreen>('../../../src/contract/media/*.screen.ts', {eager: true, import: 'screen'})

/** A screen as tests walk through it: by keys, whatever the form. */
export type AnyScreen = {
  works?: readonly {label: string}[]
  fields: {
    kind: string
    key: string
    label: string
    help?: string
    most?: number
    least?: number
    types?: readonly string[]
    maxBytes?: number
    group?: string
    choices?:
      | readonly {value: unknown; label?: string}[]
      | ((form: unknown) => readonly {value: unknown; label?: string}[])
    groups?: readonly {label: string; choices: readonly {value: string}[]}[]
    isClearable?: boolean
    showIf?: (form: unknown) => boolean
    write?: (idea: string, form: unknown) => {operation: string; body: Record<string, unknown>}
  }[]
  actions: {
    id: string
    label: string
    group?: string
    medium: Medium
    when?: (subject: unknown) => boolean
    fill?: (subject: unknown, form: unknown) => Record<string, unknown>
    send?: (subject: unknown, form: unknown) => {operation: string; body: Record<string, unknown>}
  }[]
  examples: {label: string; set: Record<string, unknown>}[]
}

export const all = Object.values(tools)
  .map((tool) => ({
    id: tool.identity.id,
    tool,
    // as: the exact form is forgotten, as the client forgets it
    screen: screens[`../../../src/contract/media/${tool.identity.id}.screen.ts`] as unknown as AnyScreen,
  }))
  .sort((one, other) => (one.id < other.id ? -1 : 1))

export const toolNamed = (id: string) => {
  const found = all.find((each) => each.id === id)
  if (found === undefined) throw new Error(`No tool "${id}"`)
  return found
}

/** The artifact that a provider hands over for a medium. */
export const made = (medium: Medium, index = 1): StoredArtifact => ({
  id: `made-${index}`,
  medium,
  url: `https://files.test/${medium}-${index}`,
  previewUrl: `https://files.test/${medium}-${index}-small.webp`,
  width: 640,
  height: 360,
  durationSeconds: 5,
  seed: 42,
  title: `Title ${index}`,
  text: `Words ${index}`,
  style: 'folk',
  madeAt: '2026-09-21T10:00:00.000Z',
})
