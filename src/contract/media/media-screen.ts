import type {z} from '../schema.ts'
import type {Artifact, FormSchema, MediaTool, Medium, AnswerReading, ToolRequest} from './media-tool.ts'

/*
 * View of a media tool as values (design/screens §2): fields, result actions and examples. Texts are message ids: one
 * without a dot is in the tool's namespace (`startFrame` of kling is `kling.startFrame`), one with a dot is complete
 * (`common.mediaModel`). `messageId` applies the rule, also to faults and inputs of `media-tool.ts`.
 */

export const messageId = (tool: string, label: string) => (label.includes('.') ? label : `${tool}.${label}`)

/** The keys of a form whose values are of this kind; any key where the exact form is forgotten. */
type KeysOf<Form, Value> = string extends keyof Form
  ? string
  : {[Key in keyof Form & string]-?: [Form[Key] & {}] extends [Value] ? Key : never}[keyof Form & string]

type ChoiceValue<Form, Key extends string> = string extends keyof Form
  ? string | number
  : Key extends keyof Form
    ? Form[Key]
    : never

/**
 * One choice. A product's own name is a `text`, any other label a message, which receives the choice's `value`
 * (`{value} s`).
 */
export type Choice<Value> = {value: Value; label?: string; text?: string}

type Common<Form> = {
  label: string
  help?: string
  /** `advanced` is collapsible; `foot` is beside the Generate button. */
  group?: 'main' | 'advanced' | 'foot'
  showIf?: (form: Form) => boolean
}

/**
 * Each kind accepts only keys whose values it can produce: a wrong key, or an option the form forbids, does not
 * compile.
 */
export type Field<Form> =
  | (Common<Form> & {kind: 'prompt' | 'lyrics'; key: KeysOf<Form, string>; most: number; isRequired?: boolean} & {
      /** Writes the field's text from a one-line idea: the task's text artifact fills the field. */
      write?: (idea: string, form: Form) => ToolRequest
    })
  | (Common<Form> & {
      kind: 'text'
      key: KeysOf<Form, string>
      most: number
      /** Set if the limit is not in characters, or not always `most`: used and available amount. */
      room?: (form: Form) => {now: number; most: number}
    })
  | ChoiceField<Form, 'select' | 'segmented' | 'ratio' | 'tiles' | 'tabs'>
  | (Common<Form> & {
      kind: 'slider'
      key: KeysOf<Form, number>
      least: number
      most: number
      step: number
      /** The scale's end if it depends on other fields; never above `most`. */
      mostOf?: (form: Form) => number
      /** The field may stay unset (undefined); the slider shows this value until it is moved. */
      shown?: number | ((form: Form) => number)
    })
  | (Common<Form> & {kind: 'number'; key: KeysOf<Form, number>; least: number; most: number; isClearable?: boolean})
  | (Common<Form> & {kind: 'switch'; key: KeysOf<Form, boolean>})
  /** One or several files; `maxBytes` and `types` are checked before sending. */
  | (Common<Form> & {
      kind: 'files'
      key: KeysOf<Form, string | readonly string[]>
      medium: Medium
      most: number
      types: readonly string[]
      maxBytes: number
    })
  /** Words picked from long lists in collapsed groups, loaded on demand. */
  | (Common<Form> & {
      kind: 'chips'
      key: KeysOf<Form, readonly string[]>
      groups: readonly {id: string; label: string}[]
      /** By group id; shown unchanged in every language. */
      words: () => Promise<Readonly<Record<string, readonly string[]>>>
    })
  /** The result to work on, set by an action; the user can only remove it. */
  | (Common<Form> & {kind: 'taskRef'; key: KeysOf<Form, string>; previewKey?: KeysOf<Form, string>})

type ChoiceField<Form, Kind extends string> = {
  [Key in KeysOf<Form, string | number>]: Common<Form> & {
    kind: Kind
    key: Key
    /** May depend on other fields; an empty list offers no choice. */
    choices: readonly Choice<ChoiceValue<Form, Key>>[] | ((form: Form) => readonly Choice<ChoiceValue<Form, Key>>[])
    /** The choice may be empty: the value is then `''`. */
    isClearable?: boolean
    /** Label of the empty choice; default: `None`. */
    none?: string
  }
}[KeysOf<Form, string | number>]

/** An action on a result, beside the common ones (open, download, copy, use in, reuse settings). */
export type ResultAction<Form> = {
  id: string
  label: string
  /** Message id of its heading in the menu. */
  group?: string
  medium: Medium
  /** Short label of a button on the card, the same in every language, instead of a menu entry. */
  short?: string
  /** Absent: always. */
  when?: (subject: ActionSubject) => boolean
} & (
  | {
      /** Fills the form; the user changes and sends it. */
      fill: (subject: ActionSubject, form: Form) => Form
    }
  | {
      /** Sends at once, at the price shown beside it. */
      send: (subject: ActionSubject, form: Form) => ToolRequest
    }
)
export type ActionSubject = {
  artifact: Artifact
  index: number
  reading: AnswerReading
  request: Record<string, unknown>
}

type RequestBody = Record<string, unknown>
/** A label of a task that says what its request did with a result or file. */
type ToolWork = {
  label: string
  when: (request: RequestBody) => boolean
  values?: (request: RequestBody) => Record<string, string>
}

export type ToolScreen<Form extends Record<string, unknown> = Record<string, unknown>> = {
  fields: readonly Field<Form>[]
  actions: readonly ResultAction<Form>[]
  /** Three prompts for the empty state, as message ids; choosing one fills the form. */
  examples: readonly {label: string; set: Partial<Form>}[]
  /** Tried before the actions' names; the first match counts. */
  works?: readonly ToolWork[]
  /** Name of the layout slot of its results. */
  results: 'grid' | 'songs'
}

/** Types the screen by its tool's form: a wrong field or option does not compile. */
export const defineScreen = <Schema extends FormSchema>(
  _tool: Pick<MediaTool<Schema>, 'form'>,
  screen: NoInfer<ToolScreen<z.output<Schema>>>,
) => screen
