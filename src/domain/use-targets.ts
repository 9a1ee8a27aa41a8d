import type {Artifact, ToolIdentity, MediaInput} from '#contract/media/media-tool.ts'
import type {ModelGroup} from '#contract/models.ts'

/*
 * "Use in…": the tools and roles that accept a result. The table comes from the tools' own `inputs`; chats accept texts
 * as questions and, if one of their models reads images, images as attachments.
 */

export type UseTarget =
  /** `more`: further files after the first, in their order. */
  | {kind: 'tool'; tool: string; input: MediaInput; value: string; more?: readonly string[]}
  /** A file for a chat whose model reads images, or a text for its composer. */
  | {
      kind: 'chat'
      group: ModelGroup
      name: string
      as: 'attachment' | 'question'
      value: string
      more?: readonly string[]
    }

/** A result for the form of a tool. `ratio`: width by height of an image. */
export type UsedResult = {target: Extract<UseTarget, {kind: 'tool'}>; ratio: number | undefined}

/** A group of chats of the site. `takesImages`: one of its served models reads images. */
export type ChatOffer = {group: ModelGroup; name: string; takesImages: boolean}

type UseOffer = {medium: Artifact['medium']; value: string; isPrompt: boolean}

/** Inputs that a result can provide: its file and its text. Lyrics are not a prompt. */
function offersOf({medium, url, text}: Artifact): UseOffer[] {
  const words =
    text === undefined || text.trim() === ''
      ? []
      : [{medium: 'text' as const, value: text, isPrompt: medium === 'text'}]
  const file = url === undefined || medium === 'text' ? [] : [{medium, value: url, isPrompt: true}]
  return [...file, ...words]
}

/** All targets of a result, in the order of the tools. */
export function targetsOf(
  identities: readonly ToolIdentity[],
  chatGroups: readonly ChatOffer[],
  artifact: Artifact,
): UseTarget[] {
  const offers = offersOf(artifact)
  const tools = identities.flatMap(({id, inputs}) =>
    offers.flatMap(({medium, value, isPrompt}) =>
      inputs
        .filter((input) => input.medium === medium && (isPrompt || input.field !== 'prompt'))
        .map((input): UseTarget => ({kind: 'tool', tool: id, input, value})),
    ),
  )
  const chats = offers.flatMap(({medium, value}) =>
    chatGroups.flatMap(({group, name, takesImages}): UseTarget[] =>
      medium === 'image' && takesImages
        ? [{kind: 'chat', group, name, as: 'attachment', value}]
        : medium === 'text'
          ? [{kind: 'chat', group, name, as: 'question', value}]
          : [],
    ),
  )
  return [...tools, ...chats]
}

/** Form values with the results added: a list keeps its items, and drops the oldest when full. */
export function usedValues(
  form: Readonly<Record<string, unknown>>,
  {field, most, set}: MediaInput,
  ...values: readonly [string, ...string[]]
): Record<string, unknown> {
  if (most <= 1) return {...set, [field]: values[0]}
  const before = form[field]
  const items = Array.isArray(before)
    ? before.filter((item): item is string => typeof item === 'string' && !values.includes(item))
    : []
  return {...set, [field]: [...items, ...values].slice(-most)}
}
