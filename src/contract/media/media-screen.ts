import type {z} from '../schema.ts'
import type {Artifact, FormSchema, MediaTool, Medium, Reading, Submission} from './media-tool.ts'

/*
 * How a media tool is shown (design/screens §2): its fields, result actions and examples, as values. Texts are message
 * ids: one without a dot stands in the tool's namespace (`startFrame` of kling is `kling.startFrame`), one with a dot is
 * the whole id (`common.mediaModel`). `messageId` applies the rule, to faults and inputs of `media-tool.ts` as well.
 */

export const messageId = (tool: string, label: string) => (label.includes('.') ? label : `${tool}.${label}`)

type KeysOf<Form, Value> = {[Key in keyof Form & string]-?: [Form[Key] & {}] extends [Value] ? Key : never}[keyof Form &
  string]

/**
 * One choice. A product's own name stands as `text`, everything else is a message; the message is given the choice's
 * `value` (`{value} s`).
 */
export type Choice<Value> = {value: Value; label?: string; text?: string}

type Common<Form> = {
  label: string
  help?: string
  /** `advanced` folds away; `foot` stands beside the Generate button. */
  group?: 'main' | 'advanced' | 'foot'
  showIf?: (form: Form) => boolean
}

/** Each kind takes only keys whose values it can make: a wrong key, or an option the form forbids, does not compile. */
export type Field<Form> =
  | (Common<Form> & {kind: 'prompt' | 'lyrics'; key: KeysOf<Form, string>; most: number; isRequired?: boolean} & {
      /** Writes the text for the user from an idea in a line: what the task's text artifact holds goes into the field. */
      write?: (idea: string, form: Form) => Submission
    })
  | (Common<Form> & {
      kind: 'text'
      key: KeysOf<Form, string>
      most: number
      /** Where not its characters count, or not always up to `most`: how much there is, and how much there may be. */
      room?: (form: Form) => {now: number; most: number}
    })
  | ChoiceField<Form, 'select' | 'segmented' | 'ratio' | 'tiles'>
  | (Common<Form> & {
      kind: 'slider'
      key: KeysOf<Form, number>
      least: number
      most: number
      step: number
      /** The end of the scale where it depends on other fields; never over `most`. */
      mostOf?: (form: Form) => number
      /** May stay unset (undefined); shows this value until it is moved. */
      shown?: number | ((form: Form) => number)
    })
  | (Common<Form> & {kind: 'number'; key: KeysOf<Form, number>; least: number; most: number; isClearable?: boolean})
  | (Common<Form> & {kind: 'switch'; key: KeysOf<Form, boolean>})
  /** One file or several; `maxBytes` and `types` are checked before anything is sent. */
  | (Common<Form> & {
      kind: 'files'
      key: KeysOf<Form, string | readonly string[]>
      medium: Medium
      most: number
      types: readonly string[]
      maxBytes: number
    })
  /** Several words of long lists, in groups that are closed at first: their words are loaded when they are wanted. */
  | (Common<Form> & {
      kind: 'chips'
      key: KeysOf<Form, readonly string[]>
      groups: readonly {id: string; label: string}[]
      /** By the group's id, shown as they stand in every language. */
      words: () => Promise<Readonly<Record<string, readonly string[]>>>
    })
  /** The result that is worked on, set by an action; it can only be taken away. */
  | (Common<Form> & {kind: 'taskRef'; key: KeysOf<Form, string>; previewKey?: KeysOf<Form, string>})
  | (Common<Form> & {kind: 'tabs'; key: KeysOf<Form, string>; choices: readonly Choice<string>[]})

type ChoiceField<Form, Kind extends string> = {
  [Key in KeysOf<Form, string | number>]: Common<Form> & {
    kind: Kind
    key: Key
    /** May depend on other fields; an empty list leaves nothing to choose. */
    choices: readonly Choice<Form[Key]>[] | ((form: Form) => readonly Choice<Form[Key]>[])
    /** Nothing may be chosen: the value is then `''`. */
    isClearable?: boolean
    /** What nothing chosen is called in a list; absent: `None`. */
    none?: string
  }
}[KeysOf<Form, string | number>]

/** What a user can do with a result, besides the common ones (open, download, copy, use in, reuse settings). */
export type ResultAction<Form> = {
  id: string
  label: string
  /** Message id of the heading it stands under in the menu. */
  group?: string
  medium: Medium
  /** Stands on the card itself under these few letters, the same in every language, instead of in the card's menu. */
  short?: string
  /** Absent: always. */
  when?: (subject: ActionSubject) => boolean
} & (
  | {
      /** Fills the form; the user changes it and sends it. */
      fill: (subject: ActionSubject, form: Form) => Form
    }
  | {
      /** Sends at once, at the price shown beside it. */
      send: (subject: ActionSubject, form: Form) => Submission
    }
)
export type ActionSubject = {artifact: Artifact; index: number; reading: Reading; request: Record<string, unknown>}

type RequestBody = Record<string, unknown>
/** What a request did to a result or a file, in the words of what it made. */
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
  /** Goes before the names of the actions; the first that holds counts. */
  works?: readonly ToolWork[]
  /** Name of the layout slot of its results. */
  results: 'grid' | 'songs'
}

/** Types the screen by the form of its tool: a wrong field or option is a compile error. */
export const defineScreen = <Schema extends FormSchema>(
  _tool: Pick<MediaTool<Schema>, 'form'>,
  screen: NoInfer<ToolScreen<z.output<Schema>>>,
) => screen
