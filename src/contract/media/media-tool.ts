import type {z} from '../schema.ts'
import type {CodeLook} from './media-codes.ts'

/*
 * Definition of a media tool (docs/decisions/0010, spec §2, contract/media). Each of the thirteen is one `MediaTool` in
 * `<id>.ts` for the wire, and one `ToolScreen` in `<id>.screen.ts` for the view. Client and server share them.
 */

export type MediaGroup = 'image' | 'video' | 'music'
export type Medium = 'image' | 'video' | 'audio' | 'text'

/** A tool as the list of tools, the routes and the server's catalogue need it, without its rules. */
export type ToolIdentity = {
  /** Name of the route `/{id}`, the locale namespace and the stored slice. */
  id: string
  /** Product name, the same in all languages. */
  name: string
  group: MediaGroup
  /** First segment of its paths on the wire; equals `id` except for nanobanana. */
  service: string
  serviceId: string
  /** Position in its group, ascending. */
  order: number
  /** Inputs for other tools' results, from which the table behind "Use in…" is made. */
  inputs: readonly MediaInput[]
}

/** A call that a developer can begin with: an operation's path and a body without `async`. */
export type ToolExample = {
  path: string
  body: Readonly<Record<string, string | number | boolean | readonly string[]>>
  /** The address in the body that a developer replaces by one of their own files. */
  ownFile?: string
}

/** A field that accepts a result or a file. */
export type MediaInput = {
  medium: Medium
  /** Key of the form: a text, or a list of texts if `most` is over 1. */
  field: string
  /** Message id of the role in the tool's namespace, such as `startFrame`. */
  label: string
  most: number
  /** Other fields to set with it, such as the action. */
  set?: Readonly<Record<string, string | number | boolean>>
}

/** One result of a task, read from any tool's answer. Addresses are as received. */
export type Artifact = {
  medium: Medium
  /** Absent while it is made. */
  url?: string
  /** Image, video or audio id that result actions send. */
  id?: string
  /** A smaller image of it. */
  previewUrl?: string
  width?: number
  height?: number
  durationSeconds?: number
  title?: string
  /** Video of a song, if any. */
  videoUrl?: string
  /** The video of a song is being made. */
  hasVideoComing?: true
  /** The text of a text result, or the lyrics of a song. */
  text?: string
  style?: string
  model?: string
  seed?: number
}

/**
 * A parsed answer of a task. `progress` is in percent. `state` is the provider's own word, for
 * `#domain/task-status.ts`.
 */
export type AnswerReading = {
  artifacts: Artifact[]
  progress?: number
  state?: string
  /** Result actions this answer allows; absent: all of the tool. */
  actions?: string[]
}

/** A provider's order: any tool's request, reduced to what making the result needs. */
export type MediaPlan = {
  medium: Medium
  prompt: string
  /** `prompt` without flags that only the tool's own service understands. */
  words?: string
  count: number
  /** Width : height. */
  aspectRatio: readonly [number, number]
  /** The request names no ratio: the first image of `sources` decides, before `aspectRatio`. */
  followsSource?: boolean
  /** Pixels of a video's shorter side; absent: the provider's default. */
  lines?: number
  /** Exact pixels of an image, if the request names them. */
  pixels?: readonly [number, number]
  /** Encoding quality of an image, 1 to 100. */
  quality?: number
  durationSeconds?: number
  seed?: number
  /** The tool's action on `sourceId`, such as `extend` or `upscale1`; absent: makes something new. */
  action?: string
  /** Number of variants side by side in each image. */
  tiles?: number
  /** The user's files and earlier results to use: start and end frames, references, the song to extend. */
  sources: readonly string[]
  /** Upstream id of the result to work on. */
  sourceId?: string
  /** Index, from 0, of the result among those of one task that share that id. */
  sourceIndex?: number
  /** Also uses the results that the source itself continues, nearest first, after it. */
  joins?: true
  /** Content that a code image must decode to; empty: the content of the first source. */
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

/** Facts about one file or text that a provider made. */
export type MadeFacts = {
  width?: number
  height?: number
  durationSeconds?: number
  /** Makes exactly this file again, with the same prompt and a count of one. */
  seed?: number
  title?: string
  /** The text of a text, the lyrics of a song. */
  text?: string
  style?: string
  /** The model that composed it, if not the request's. */
  model?: string
}

/** One file or text of a provider, copied into our own store. */
export type StoredArtifact = MadeFacts & {
  id: string
  medium: Medium
  url: string
  previewUrl?: string
  previewWidth?: number
  previewHeight?: number
  /** ISO 8601. */
  madeAt?: string
  /** The provider cannot work on this result any further: the answer offers no result action. */
  isFinal?: boolean
}

/** One generation call. `Body` is exactly what is sent, without `callback_url` and `async`. */
export type Operation<Body extends z.core.$ZodType = z.core.$ZodType> = {
  /** `/{service}/…` on the API host. */
  path: string
  /** `type` of its tasks. */
  taskType?: string
  /** Validated strictly by the server; also types the body that the form makes. */
  body: Body
  plan: (body: z.output<Body>) => MediaPlan
  /** The tool's own answer for its results, without the common `success`, `task_id` and `trace_id`. */
  respond: (made: readonly StoredArtifact[], body: z.output<Body>, progress: number) => Record<string, unknown>
}

/** Types `plan` and `respond` by their body; pass them the parsed `body`. */
export const defineOperation = <Body extends z.core.$ZodType>(operation: Operation<Body>): Operation => operation

/** A price rule (contract/platform §6): the first whose JSON-Logic condition holds sets the credits. */
export type PriceRule = {conditions: unknown; consumption: unknown}

/** State of a tool's form: every field has a default, so an empty object parses to a full form. */
export type FormSchema = z.core.$ZodType<Record<string, unknown>>

export type ToolRequest = {operation: string; body: Record<string, unknown>}

/**
 * A fault of a form before it is sent: the field, and a message id of the tool's namespace or of `common`, with its
 * values.
 */
export type FormFault = {field: string; message: string; values?: Record<string, string | number>}

export type MediaTool<
  Form extends FormSchema = FormSchema,
  Operations extends Record<string, Operation> = Record<string, Operation>,
> = {
  identity: ToolIdentity
  /** `type` of the task list; omitted for qrart, luma, headshots and midjourney (contract/media §1.5). */
  taskType?: string
  form: Form
  operations: Operations
  /** The form after a change: fields that others no longer allow become their default (`dropped`). */
  settle: (form: z.output<Form>) => {form: z.output<Form>; dropped: string[]}
  faults: (form: z.output<Form>) => FormFault[]
  /** Sends API fields only (contract/media §1.3). */
  submit: (form: z.output<Form>) => ToolRequest
  /** Parses an answer of any of its operations, also of a running task. Never throws on an unknown shape. */
  read: (response: Record<string, unknown>, request: Record<string, unknown>, taskType?: string) => AnswerReading
  /** Applies to the body of a submission, both as `submit` makes it and as the operation's `body` parses it. */
  price: readonly PriceRule[]
  /** Form values to set after a preparing task succeeded; undefined: unchanged. */
  next?: (
    reading: AnswerReading,
    request: Record<string, unknown>,
    form: z.output<Form>,
  ) => Partial<z.output<Form>> | undefined
  /** Form values that would send this request again, if the form's keys differ from the body's. */
  reuse?: (request: Record<string, unknown>, taskType?: string) => Record<string, unknown>
}

/** Checks a tool and keeps its exact types. */
export const defineTool = <Form extends FormSchema, Operations extends Record<string, Operation>>(
  tool: MediaTool<Form, Operations>,
) => tool
