import type {z} from '../schema.ts'
import type {CodeLook} from './media-codes.ts'

/*
 * What a media tool is (docs/decisions/0010, spec §2, contract/media). Each of the thirteen is one value of `MediaTool` in
 * `<id>.ts`, about the wire, and one `ToolScreen` in `<id>.screen.ts`, about its looks. Client and server read the same.
 */

export type MediaGroup = 'image' | 'video' | 'music'
export type Medium = 'image' | 'video' | 'audio' | 'text'

/** What the list of tools, the routes and the server's catalogue need of a tool, without its rules. */
export type ToolIdentity = {
  /** Names the route `/{id}`, the locale namespace and the stored slice. */
  id: string
  /** The product's name, the same in all languages. */
  name: string
  group: MediaGroup
  /** First segment of its paths on the wire; equals `id` but for nanobanana. */
  service: string
  serviceId: string
  /** Place in the lists of its group, ascending. */
  order: number
  /** What of other tools' results it takes: the capability table behind "Use in…" is made of these. */
  inputs: readonly ToolInput[]
}

/** A field that takes a result or a file. */
export type ToolInput = {
  medium: Medium
  /** Key of the form: a text, or a list of texts when `most` is over 1. */
  field: string
  /** Message id of the tool's namespace that names the role, such as `startFrame`. */
  label: string
  most: number
  /** Other fields that get these values with it, such as the action. */
  set?: Readonly<Record<string, string | number | boolean>>
}

/** One thing that a task made, read from any tool's answer. Addresses are as the server sent them. */
export type Artifact = {
  medium: Medium
  /** Absent while it is made. */
  url?: string
  /** What result actions name: an image, video or audio id. */
  id?: string
  /** A smaller image of it. */
  previewUrl?: string
  width?: number
  height?: number
  durationSeconds?: number
  title?: string
  /** Of a song: its video, when there is one. */
  videoUrl?: string
  /** Of a song: its video is on its way. */
  hasVideoComing?: true
  /** Of a text: the text. Of a song: its lyric. */
  text?: string
  style?: string
  model?: string
  seed?: number
}

/** A task's answer, read. `progress` is in percent. `state` is the provider's own word, for `#domain/task-status.ts`. */
export type Reading = {
  artifacts: Artifact[]
  progress?: number
  state?: string
  /** Names of the result actions that this answer allows; absent: all the tool has. */
  actions?: string[]
}

/** What a provider is asked to make: the request of any tool, reduced to what making needs. */
export type MediaPlan = {
  medium: Medium
  prompt: string
  /** The words of `prompt` alone, where it bears flags that only the tool's own service knows. */
  words?: string
  count: number
  /** Width : height. */
  aspectRatio: readonly [number, number]
  /** The request names no ratio: that of the first image of `sources` goes before `aspectRatio`. */
  followsSource?: boolean
  /** Of a video: pixels of its shorter side; absent: as its maker likes. */
  lines?: number
  /** Of an image: its very pixels, where the request names them. */
  pixels?: readonly [number, number]
  /** Of an image: how well it is encoded, from 1 to 100. */
  quality?: number
  durationSeconds?: number
  seed?: number
  /** The tool's word for what happens to `sourceId`, such as `extend` or `upscale1`; absent: something new is made. */
  action?: string
  /** So many variants stand side by side in each image. */
  tiles?: number
  /** The user's own files and earlier results that go in: start and end frames, references, the song to extend. */
  sources: readonly string[]
  /** The upstream id of the result that is worked on. */
  sourceId?: string
  /** Where several results of one task share that id: which of them, counted from 0 in the order of its answer. */
  sourceIndex?: number
  /** What the source goes on from goes in as well, after it: the results that its own request names, nearest first. */
  joins?: true
  /** The content that a code image must decode to; empty: what the first source decodes to. */
  code?: {content: string; correction: 'L' | 'M' | 'Q' | 'H'; strength: number; look: CodeLook}
  song?: {
    title?: string
    style?: string
    lyric?: string
    isInstrumental: boolean
    continueAt?: number
    model?: string
  }
}

/** One file or text that a provider made, kept in our own store. */
export type Made = {
  id: string
  medium: Medium
  url: string
  previewUrl?: string
  previewWidth?: number
  previewHeight?: number
  width?: number
  height?: number
  durationSeconds?: number
  seed?: number
  title?: string
  text?: string
  style?: string
  /** What composed it, where that is not the model of the request. */
  model?: string
  /** ISO 8601. */
  madeAt?: string
  /** The provider cannot work on this result any further: the answer offers no result action. */
  isFinal?: boolean
}

/** One generation call. `Body` is exactly what goes over the wire, without `callback_url` and `async`. */
export type Operation<Body extends z.core.$ZodType = z.core.$ZodType> = {
  /** `/{service}/…` on the API host. */
  path: string
  /** `type` of the tasks it makes. */
  taskType?: string
  /** Read strictly by the server; also types what the form makes. */
  body: Body
  plan: (body: z.output<Body>) => MediaPlan
  /** The tool's own answer for what was made, without the common `success`, `task_id` and `trace_id`. */
  respond: (made: readonly Made[], body: z.output<Body>, progress: number) => Record<string, unknown>
}

/** Types `plan` and `respond` by their body; callers give them what `body` has parsed. */
export const defineOperation = <Body extends z.core.$ZodType>(operation: Operation<Body>): Operation => operation

/** A rule of the price list (contract/platform §6): the first whose JSON-Logic condition holds says the credits. */
export type PriceRule = {conditions: unknown; consumption: unknown}

/** The state of a tool's form: every field has its default, so an empty object parses to a full form. */
export type FormSchema = z.core.$ZodType<Record<string, unknown>>

export type Submission = {operation: string; body: Record<string, unknown>}

/**
 * What is wrong with a form before it is sent: the field, and a message id of the tool's namespace or of `common`, with
 * its values.
 */
export type FormFault = {field: string; message: string; values?: Record<string, string | number>}

export type MediaTool<
  Form extends FormSchema = FormSchema,
  Operations extends Record<string, Operation> = Record<string, Operation>,
> = {
  identity: ToolIdentity
  /** `type` of the task list; none is sent for qrart, luma, headshots and midjourney (contract/media §1.5). */
  taskType?: string
  form: Form
  operations: Operations
  /** The form after a change: fields that the others no longer allow go back to their default (`dropped`). */
  settle: (form: z.output<Form>) => {form: z.output<Form>; dropped: string[]}
  faults: (form: z.output<Form>) => FormFault[]
  /** Only API fields go over the wire (contract/media §1.3). */
  submit: (form: z.output<Form>) => Submission
  /** Reads an answer of any of its operations, also a half one. Never throws on an unknown shape. */
  read: (response: Record<string, unknown>, request: Record<string, unknown>, taskType?: string) => Reading
  /** Applied to the body of a submission, as `submit` makes it and as the operation's `body` parses it. */
  price: readonly PriceRule[]
  /** Values that the form takes on when a task succeeded that prepared something for it; undefined: it stays. */
  next?: (
    reading: Reading,
    request: Record<string, unknown>,
    form: z.output<Form>,
  ) => Partial<z.output<Form>> | undefined
  /** Values of the form that would send this request again, where the form's keys are not those of the body. */
  reuse?: (request: Record<string, unknown>, taskType?: string) => Record<string, unknown>
}

/** Keeps the exact types of a tool while checking them. */
export const defineTool = <Form extends FormSchema, Operations extends Record<string, Operation>>(
  tool: MediaTool<Form, Operations>,
) => tool
